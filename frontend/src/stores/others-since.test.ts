import { expect, test } from 'vitest';
import type { Message } from '../../../client/index.ts';
import { range } from '../../../client/testing/messages.ts';
import { othersSince } from './others-since.ts';

const ME = 1;
const BO = 2;

function held(from: number, to: number, userId = BO): Message[] {
  return range(from, to).map((message) => ({ ...message, user_id: userId }));
}

test('messages of others after it are counted, own messages are not', () => {
  expect(othersSince([...held(1, 10), ...held(11, 13, ME), ...held(14, 15)], 8, ME)).toBe(4);
});

test('messages that are no longer held are counted by their numbers', () => {
  expect(othersSince(held(951, 1000), 200, ME)).toBe(800);
  expect(othersSince([...held(951, 990), ...held(991, 1000, ME)], 200, ME)).toBe(790);
});

test('nothing new counts as 0', () => {
  expect(othersSince([], 5, ME)).toBe(0);
  expect(othersSince(held(1, 5), 5, ME)).toBe(0);
  expect(othersSince(held(1, 5), 9, ME)).toBe(0);
});
