import { describe, expect, test } from 'vitest';
import { entry, helloAt, inRooms, roomsFrame, runRooms, took } from '../testing/rooms-actions.ts';
import { reduceRooms } from './rooms-reducer.ts';
import type { RoomsState } from './rooms-state.ts';

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

describe('entries in threads', () => {
  const inThread = (seq: number, change: { removed?: true; read?: true } = {}) =>
    took({ ...at, thread_id: 3, message_id: seq, seq, user_seq: 5, ...change });
  const follow = (read_seq: number, thread_id = 3) =>
    took({ type: 'thread_follow', room_id: 1, thread_id, following: true, read_seq, user_seq: 6 });
  const left = (state: RoomsState) => state.rooms.get(1)?.threadMentions;
  const counted = () =>
    inRooms([entry(1, 10, 10, { mentions: 0, thread_mentions: [[4, 8]] }), entry(2, 1, 0)]);

  test('count until their thread is read, whatever was read of the room', () => {
    const some = runRooms([inThread(7), inThread(9), inThread(9)], counted());
    expect(left(some)).toEqual([
      [4, 8],
      [3, 7],
      [3, 9],
    ]);
    const read = runRooms([took({ type: 'sync', room_id: 1, seq: 12 }), follow(8)], some);
    expect(left(read)).toEqual([
      [4, 8],
      [3, 9],
    ]);
    expect(left(runRooms([follow(9), follow(8, 4)], read))).toEqual([]);
    expect(read.rooms.get(1)).toMatchObject({ mentions: 0 });
  });

  test('that are withdrawn, or were read before they came, do not count', () => {
    const some = runRooms([inThread(7), inThread(9, { read: true })], counted());
    expect(left(runRooms([inThread(7, { removed: true })], some))).toEqual([[4, 8]]);
  });

  test('a count that may be older than the log changes nothing; a complete list replaces what was known', () => {
    const read = runRooms([follow(8, 4)], counted());
    const late = entry(1, 10, 10, { thread_mentions: [[4, 8]] });
    expect(left(runRooms([roomsFrame([late], false)], read))).toEqual([]);
    expect(left(runRooms([helloAt(9), roomsFrame([late])], read))).toEqual([[4, 8]]);
  });
});

test('a bookmark and a followed thread move the place in the log, and no count', () => {
  const state = inRooms([entry(1, 10, 4)]);
  const saved = reduceRooms(state, took({ type: 'saved', room_id: 1, message_id: 9, note: '', user_seq: 5 }));
  expect(saved.userSeq).toBe(5);
  expect(saved.rooms).toBe(state.rooms);
});
