import { expect, test } from 'vitest';
import { entry, inRooms, took } from '../testing/rooms-actions.ts';
import { reduceRooms } from './rooms-reducer.ts';

const at = { type: 'inbox', room_id: 1, reason: 'mention', created_at: '' } as const;
const listed = (frame: { message_id: number; seq: number; removed?: true; user_seq: number }, readSeq = 4) =>
  reduceRooms(inRooms([entry(1, 10, readSeq)]), took({ ...at, ...frame }));

test('an entry of the inbox beyond the read mark counts as a mention, and the server is asked', () => {
  const { rooms, userSeq } = listed({ message_id: 9, seq: 7, user_seq: 5 });
  expect(rooms.get(1)).toMatchObject({ mentions: 1, count: 'estimate' });
  expect(userSeq).toBe(5);
});

test('one that was read on another device before it came does not count', () => {
  expect(listed({ message_id: 9, seq: 4, user_seq: 5 }).rooms.get(1)).toMatchObject({
    mentions: 0,
    count: 'exact',
  });
});

test('one that is withdrawn counts no more, and never below none', () => {
  const one = listed({ message_id: 9, seq: 7, user_seq: 5 });
  const withdrawn = took({ ...at, message_id: 9, seq: 7, removed: true, user_seq: 6 });
  const none = reduceRooms(one, withdrawn);
  expect(none.rooms.get(1)).toMatchObject({ mentions: 0 });
  expect(reduceRooms(none, withdrawn).rooms.get(1)).toMatchObject({ mentions: 0 });
});

test('a bookmark and a followed thread move the place in the log, and no count', () => {
  const state = inRooms([entry(1, 10, 4)]);
  const saved = reduceRooms(state, took({ type: 'saved', room_id: 1, message_id: 9, note: '', user_seq: 5 }));
  expect(saved.userSeq).toBe(5);
  expect(saved.rooms).toBe(state.rooms);
});
