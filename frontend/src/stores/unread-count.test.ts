import { expect, test } from 'vitest';
import type { Message } from '../../../client/index.ts';
import { unreadCount, unreadInOpen } from './unread-count.ts';

test('messages after the mark are unread', () => {
  expect(unreadCount(5, 2)).toBe(3);
  expect(unreadCount(5, 5)).toBe(0);
  expect(unreadCount(5, 0)).toBe(5);
});

test('a room that was never opened here has nothing unread', () => {
  expect(unreadCount(5, undefined)).toBe(0);
});

test('a list that lags behind the mark counts nothing', () => {
  expect(unreadCount(4, 9)).toBe(0);
});

test('in the open room, own messages that are held are not unread; messages that only the list knows of are', () => {
  const me = { id: 1, username: 'me' };
  const message = (seq: number, user_id: number): Message => ({
    type: 'message',
    id: seq,
    room_id: 1,
    user_id,
    username: 'somebody',
    content: 'hello',
    created_at: '2026-01-01T00:00:00.000Z',
    seq,
  });
  const messages = [message(8, 2), message(9, 1), message(10, 2)];
  expect(unreadInOpen({ messages, me }, 0, 8)).toBe(1);
  expect(unreadInOpen({ messages, me }, 12, 8)).toBe(3);
  expect(unreadInOpen({ messages, me }, 12, 2)).toBe(9);
  expect(unreadInOpen({ messages, me }, 12, 11)).toBe(1);
  expect(unreadInOpen({ messages: [], me }, 12, 2)).toBe(10);
  expect(unreadInOpen({ messages, me }, 12, undefined)).toBe(0);
});
