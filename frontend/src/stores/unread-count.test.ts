import { expect, test } from 'vitest';
import { message } from '../../../client/testing/messages.ts';
import { unreadInOpen } from './unread-count.ts';

const me = { id: 1, username: 'me' };
const messages = [message(8), message(9, { user_id: 1 }), message(10)];

test('in the open room the messages held are counted, own ones are not', () => {
  expect(unreadInOpen({ messages, me, hasOlder: true }, { readSeq: 8, unread: 7, count: 'exact' })).toBe(1);
  expect(unreadInOpen({ messages, me, hasOlder: true }, { readSeq: 7, unread: 7, count: 'exact' })).toBe(2);
  expect(unreadInOpen({ messages, me, hasOlder: false }, { readSeq: 2, unread: 7, count: 'exact' })).toBe(2);
});

test('when they do not reach back to the mark, the list says how many', () => {
  expect(unreadInOpen({ messages, me, hasOlder: true }, { readSeq: 2, unread: 7, count: 'exact' })).toBe(7);
  expect(
    unreadInOpen({ messages: [], me, hasOlder: false }, { readSeq: 2, unread: null, count: 'estimate' }),
  ).toBe(0);
});

test('of more than the list counts, those that are not held are counted by their numbers', () => {
  const listed = { readSeq: 2, unread: 4, count: 'at_least' } as const;
  expect(unreadInOpen({ messages, me, hasOlder: true }, listed)).toBe(5 + 2);
});
