import { describe, expect, test } from 'vitest';
import type { RoomEntry } from '../../protocol/rooms.ts';
import { message } from '../testing/messages.ts';
import {
  countOf,
  entry,
  helloAt,
  inRooms,
  membership,
  roomsFrame,
  runRooms,
  took,
} from '../testing/rooms-actions.ts';
import { reduceRooms } from './rooms-reducer.ts';
import { roomsSnapshotOf } from './rooms-state.ts';

const me = (user_seq: number, change: Parameters<typeof membership>[0]) =>
  took({ type: 'me', room_id: 1, me: membership(change), user_seq });
const mark = (seq: number, known = 0) => ({ type: 'marked', marks: [{ room_id: 1, seq, known }] }) as const;
const unmark = (seq: number, known = 0) =>
  ({ type: 'marked', marks: [{ room_id: 1, seq, known, unread: true }] }) as const;

describe('5. a mark counts at once, and is kept until the server confirms it', () => {
  const before = inRooms([entry(1, 10, 4)]);

  test('at the head nothing is unread; before it, the count is an estimate', () => {
    expect(countOf(runRooms([mark(10)], before))).toBe('0');
    expect(countOf(runRooms([mark(7)], before))).toBe('~6');
    expect(countOf(runRooms([mark(10), took(message(11))], before))).toBe('1');
  });

  test('a lower mark changes nothing', () => {
    expect(reduceRooms(before, mark(4))).toBe(before);
    expect(runRooms([mark(8), mark(6)], before).marks.get(1)?.seq).toBe(8);
  });

  test('the server confirms it with `me`, or with a list', () => {
    const marked = runRooms([mark(10)], before);
    expect(marked.marks.size).toBe(1);
    expect(runRooms([me(6, { read_seq: 9 })], marked).marks.size).toBe(1);
    expect(runRooms([me(6, { read_seq: 10 })], marked).marks.size).toBe(0);
    expect(runRooms([roomsFrame([entry(1, 10, 10)], false)], marked).marks.size).toBe(0);
    expect(countOf(runRooms([roomsFrame([entry(1, 10, 4)], false)], marked))).toBe('0');
  });

  test('a mark that another device has lowered since counts no more', () => {
    const state = runRooms([mark(10), me(6, { read_seq: 2, read_set: 6 })], before);
    expect(state.marks.size).toBe(0);
    expect(state.rooms.get(1)).toMatchObject({ readSeq: 2, count: 'estimate' });
  });

  test('unread from here is at least one, and is confirmed by its `read_set`', () => {
    const state = runRooms([mark(10), me(6, { read_seq: 10 }), unmark(7)], before);
    expect(countOf(state)).toBe('~1');
    expect(runRooms([me(7, { read_seq: 10 })], state).marks.size).toBe(1);
    const confirmed = runRooms([me(7, { read_seq: 7, read_set: 7 })], state);
    expect(confirmed.marks.size).toBe(0);
    expect(confirmed.rooms.get(1)).toMatchObject({ readSeq: 7 });
  });

  test('a mark that would change nothing is not kept', () => {
    expect(reduceRooms(before, unmark(4))).toBe(before);
    expect(reduceRooms(before, unmark(6))).toBe(before);
  });

  test('unread from here is not confirmed by a mark that is lower: another device may raise it before', () => {
    expect(runRooms([unmark(3), me(7, { read_seq: 2 })], before).marks.size).toBe(1);
  });

  test('a mark on top of an unconfirmed `unread` is set, too, and is not lost when that one is written first', () => {
    const state = runRooms([mark(10), me(6, { read_seq: 10 }), unmark(3), mark(8)], before);
    expect(state.marks.get(1)).toMatchObject({ seq: 8, known: 0, unread: true });
    const both = runRooms([me(7, { read_seq: 8, read_set: 7 })], state);
    expect(both.marks.size).toBe(0);
    const first = runRooms([me(7, { read_seq: 3, read_set: 7 })], state);
    expect(first.marks.get(1)).toEqual({ room_id: 1, seq: 8, known: 7, unread: true });
    expect(first.rooms.get(1)).toMatchObject({ readSeq: 8 });
    // Another device has set it once more.
    expect(runRooms([me(9, { read_seq: 2, read_set: 9 })], first).marks.size).toBe(0);
  });

  test('a list that was read before the latest mark does not undo it, and its count is not taken', () => {
    const state = runRooms([me(7, { read_seq: 8 })], before);
    const late = runRooms([roomsFrame([entry(1, 10, 4)], false)], state);
    expect(late.rooms.get(1)).toMatchObject({ readSeq: 8, me: { read_seq: 8 }, count: 'estimate' });
  });

  test('the mark of a room that is not on the list of a new connection is dropped: nothing would confirm it', () => {
    const marked = { type: 'marked', marks: [{ room_id: 9, seq: 3, known: 0 }] } as const;
    const state = runRooms([marked, helloAt(5), roomsFrame([entry(1, 10, 4)])]);
    expect(state.marks.size).toBe(0);
  });

  /** Opened with the list that an earlier visit saved, and a mark that was made after number 7 of the user's log. */
  const reopened = (...rooms: RoomEntry[]) => {
    const snapshot = roomsSnapshotOf(inRooms(rooms));
    if (snapshot === null) throw new Error('there is a list');
    return runRooms([mark(10, 7), { type: 'restored', snapshot }, helloAt(7), roomsFrame([], false)]);
  };

  test('a membership that an earlier visit saved before the mark was made does not settle it', () => {
    const state = reopened(entry(1, 10, 10));
    expect(state.marks.size).toBe(1);
    const current = runRooms([me(7, { read_seq: 4, read_set: 7 })], state);
    expect(current.rooms.get(1)).toMatchObject({ readSeq: 10 });
    expect(runRooms([me(8, { read_seq: 10, read_set: 7 })], current).marks.size).toBe(0);
  });

  test('a list that an earlier visit saved before the room came does not drop its mark; the log may', () => {
    const state = reopened();
    expect(state.marks.size).toBe(1);
    const me7 = membership({ read_seq: 4, read_set: 7 });
    const current = runRooms([took({ type: 'room', ...entry(1, 10, 4, { me: me7 }), user_seq: 7 })], state);
    expect(current.rooms.get(1)).toMatchObject({ readSeq: 10 });
    const other = runRooms([took({ type: 'room', ...entry(2, 10, 4), user_seq: 7 })], state);
    expect(other.marks.size).toBe(0);
  });

  test('`me` confirms the mark of a room that is not on the list', () => {
    const state = runRooms([{ type: 'marked', marks: [{ room_id: 9, seq: 3, known: 0 }] }], before);
    expect(state.marks.size).toBe(1);
    const told = took({ type: 'me', room_id: 9, me: membership({ read_seq: 3 }), user_seq: 6 });
    expect(runRooms([told], state).marks.size).toBe(0);
  });

  test('the mark of another device at the head leaves nothing unread', () => {
    expect(countOf(runRooms([me(6, { read_seq: 10 })], before))).toBe('0');
  });
});
