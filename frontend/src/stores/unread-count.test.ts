import { expect, test } from 'vitest';
import { unreadCount } from './unread-count.ts';

test('what was said after the mark is unread', () => {
  expect(unreadCount(5, 2)).toBe(3);
  expect(unreadCount(5, 5)).toBe(0);
  expect(unreadCount(5, 0)).toBe(5);
});

test('a room that was never opened here has nothing unread', () => {
  expect(unreadCount(5, undefined)).toBe(0);
});

test('a list that lags behind what was read counts nothing', () => {
  expect(unreadCount(4, 9)).toBe(0);
});
