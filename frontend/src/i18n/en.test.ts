import { expect, test } from 'vitest';
import { en } from './en.ts';
import { screensEn } from './screens-en.ts';

test('typing names one or two people, and no more', () => {
  expect(screensEn.composing.typing(['ann'])).toBe('ann is typing');
  expect(screensEn.composing.typing(['ann', 'bo'])).toBe('ann and bo are typing');
  expect(screensEn.composing.typing(['ann', 'bo', 'cy'])).toBe('Several people are typing');
});

test('folded notices name a few and count the others', () => {
  expect(screensEn.arrivals.joined(['ann'])).toBe('ann joined');
  expect(screensEn.arrivals.joined(['ann', 'bo', 'cy', 'di', 'ed'])).toBe('ann, bo and 3 others joined');
});

test('one is not many', () => {
  expect(screensEn.banner.waiting('Offline', 1)).toBe('Offline, 1 message waiting');
  expect(screensEn.banner.waiting('Offline', 3)).toBe('Offline, 3 messages waiting');
  expect(screensEn.banner.upToDate(0)).toBe('Up to date');
  expect(screensEn.banner.upToDate(14)).toBe('Up to date, 14 new');
});

test('the line of a room whose latest text was deleted says so', () => {
  expect(en.sidebar.last('ann', 'hello')).toBe('ann: hello');
  expect(en.sidebar.lastFiles(0)).toBe('Message deleted');
  expect(en.sidebar.lastFiles(2)).toBe('2 files');
});
