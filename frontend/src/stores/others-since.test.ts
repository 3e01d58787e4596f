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

test('notices are not counted', () => {
  const by = { user_id: BO, username: 'bo' };
  const notice = { kind: 'joined', by, member: { ...by, role: 'member' } } as const;
  expect(othersSince([...held(1, 3), ...held(4, 5).map((one) => ({ ...one, notice }))], 1, ME)).toBe(2);
});

test('nothing new counts as 0', () => {
  expect(othersSince([], 5, ME)).toBe(0);
  expect(othersSince(held(1, 5), 5, ME)).toBe(0);
  expect(othersSince(held(1, 5), 9, ME)).toBe(0);
});
