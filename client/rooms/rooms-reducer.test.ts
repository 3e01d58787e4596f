import { describe, expect, test } from 'vitest';
import type { RoomEntry } from '../../protocol/frames/v2.ts';
import type { Frame } from '../connection/frames.ts';
import { openedFrame, roomInfo } from '../testing/hello.ts';
import { ME, message } from '../testing/messages.ts';
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
import { initialRooms, roomsSnapshotOf } from './rooms-state.ts';

const head = (change: Partial<Frame<'head'>>) =>
  took({ type: 'head', room_id: 1, from: 10, seq: 11, number: 11, ...change });
const me = (user_seq: number, change: Parameters<typeof membership>[0]) =>
  took({ type: 'me', room_id: 1, me: membership(change), user_seq });
const mark = (seq: number, known = 0) => ({ type: 'marked', marks: [{ room_id: 1, seq, known }] }) as const;
const unmark = (seq: number, known = 0) =>
  ({ type: 'marked', marks: [{ room_id: 1, seq, known, unread: true }] }) as const;

describe('1. a complete list replaces the one before, a partial one the rooms that it names', () => {
  const before = inRooms([entry(1, 10, 4), entry(2, 3, 3)]);

  test('a complete list', () => {
    expect([...before.rooms.keys()]).toEqual([1, 2]);
    expect([...runRooms([roomsFrame([entry(3, 1, 0)])], before).rooms.keys()]).toEqual([3]);
  });

  test('a partial list', () => {
    const state = runRooms([roomsFrame([entry(2, 5, 3)], false)], before);
    expect([countOf(state, 1), countOf(state, 2)]).toEqual(['6', '2']);
  });

  test('a room that was not counted keeps its count, and grows by the texts since, as an estimate', () => {
    const { unread: _, ...same } = entry(1, 10, 4);
    expect(countOf(runRooms([roomsFrame([same], false)], before))).toBe('6');
    const { unread: __, ...later } = entry(1, 12, 4);
    expect(countOf(runRooms([roomsFrame([later], false)], before))).toBe('~8');
    expect(countOf(inRooms([later]))).toBeNull();
    expect(countOf(inRooms([{ ...later, me: membership({ read_seq: 12 }) }]))).toBe('0');
  });

  test('a count that the server has cut is at least that', () => {
    expect(countOf(inRooms([entry(1, 500, 4, { unread: 100, inexact: true })]))).toBe('100+');
  });
});

describe('2. the user’s own log comes in order, each entry in its latest state', () => {
  const before = inRooms([entry(1, 10, 4)]);

  test('rooms come, change and go', () => {
    const state = runRooms(
      [
        took({ type: 'room', ...entry(2, 1, 0), user_seq: 6 }),
        me(7, { read_seq: 10 }),
        took({ type: 'gone', room_id: 2, reason: 'left', user_seq: 8 }),
      ],
      before,
    );
    expect([...state.rooms.keys()]).toEqual([1]);
    expect(countOf(state)).toBe('0');
    expect(state).toMatchObject({ userSeq: 8, phase: 'live' });
  });

  test('what was missed comes after a partial list, and the next connection starts from the last number', () => {
    const back = runRooms([{ type: 'lost' }, helloAt(9), roomsFrame([], false)], before);
    expect(back).toMatchObject({ userSeq: 5, phase: 'live' });
    const gone = took({ type: 'gone', room_id: 1, reason: 'removed', user_seq: 8 });
    const state = reduceRooms(back, gone);
    expect(state.userSeq).toBe(8);
    expect(state.rooms.size).toBe(0);
  });
});

describe('3. another database has other rooms', () => {
  test('everything is dropped, the unconfirmed marks, too', () => {
    const before = inRooms([entry(1, 10, 4)], mark(8));
    const state = runRooms([{ type: 'lost' }, helloAt(2, 'e2')], before);
    expect(state).toMatchObject({ epoch: 'e2', userSeq: null, rooms: new Map(), marks: new Map() });
  });

  test('a snapshot is taken before the first connection only', () => {
    const snapshot = roomsSnapshotOf(inRooms([entry(1, 10, 4)]));
    if (snapshot === null) throw new Error('there is a list');
    const restored = runRooms([{ type: 'restored', snapshot }]);
    expect(restored).toMatchObject({ epoch: 'e1', userSeq: 5 });
    expect(countOf(restored)).toBe('6');
    const connected = runRooms([helloAt(9)]);
    expect(reduceRooms(connected, { type: 'restored', snapshot })).toBe(connected);
    expect(roomsSnapshotOf(initialRooms(ME.id))).toBeNull();
  });
});

describe('4. counts follow heads and messages', () => {
  const before = inRooms([entry(1, 10, 4)]);

  test('texts of others count once, own and blocked ones do not', () => {
    const texts: [number, number][] = [
      [11, 8],
      [12, ME.id],
      [13, 9],
    ];
    const news = head({ seq: 13, number: 13, texts });
    expect(countOf(runRooms([news], before))).toBe('8');
    expect(countOf(runRooms([news, news], before))).toBe('8');
    expect(countOf(runRooms([{ type: 'blocked', ids: new Set([9]) }, news], before))).toBe('7');
  });

  test('a text that is gone is subtracted, if it was counted', () => {
    const gone = (seq: number, userId = 8) =>
      head({ from: 10, seq: 12, number: 11, texts: [[11, 8]], gone: [[seq, userId]] });
    expect(countOf(runRooms([gone(5)], before))).toBe('6');
    expect(countOf(runRooms([gone(4)], before))).toBe('7');
    expect(countOf(runRooms([gone(5, ME.id)], before))).toBe('7');
    // It came and went.
    expect(countOf(runRooms([gone(11)], before))).toBe('6');
  });

  test('a head with a gap, or without its lists, makes an estimate', () => {
    expect(countOf(runRooms([head({ from: 12, seq: 14, number: 14, texts: [[14, 8]] })], before))).toBe(
      '~10',
    );
    expect(countOf(runRooms([head({ from: 10, seq: 60, number: 60 })], before))).toBe('~56');
  });

  test('a head that comes late, without its lists, changes no count: the server has counted it', () => {
    const counted = runRooms([took({ type: 'rooms', rooms: [entry(1, 60, 4)], complete: false })], before);
    const late = runRooms([head({ from: 10, seq: 60, number: 60 })], counted);
    expect(countOf(late)).toBe(countOf(counted));
  });

  test('a head has the room and the latest text, where those have changed', () => {
    const last = { seq: 11, user_id: 8, username: 'bo', excerpt: 'hi', created_at: '' };
    const state = runRooms([head({ texts: [], room: roomInfo(1, { name: 'ops' }), last })], before);
    expect(state.rooms.get(1)).toMatchObject({ room: { name: 'ops' }, last });
    expect(runRooms([head({ texts: [] })], state).rooms.get(1)).toMatchObject({ last });
  });

  test('messages of an open room count above the head, notices and changes do not', () => {
    const notice = {
      kind: 'joined',
      by: { user_id: 8, username: 'bo' },
      member: { user_id: 8, username: 'bo', role: 'member' },
    } as const;
    const state = runRooms(
      [
        took(message(10)),
        took(message(11)),
        took(message(12, { notice, content: '' })),
        took(message(11, { changed_seq: 13 })),
        took({ type: 'batch', room_id: 1, events: [message(14), message(15, { user_id: ME.id })] }),
        took({ type: 'sync', room_id: 1, seq: 16 }),
      ],
      before,
    );
    expect(countOf(state)).toBe('8');
    expect(state.rooms.get(1)).toMatchObject({ seq: 16, number: 13, last: { seq: 15, excerpt: 'm15' } });
  });

  test('a room that is opened ahead of what is known is an estimate, unless it resumes', () => {
    const opened = (resumed: boolean) =>
      took(openedFrame({ seq: 12, room: roomInfo(1, { seq: 12, number: 12 }), resumed }));
    expect(countOf(runRooms([opened(false)], before))).toBe('~8');
    expect(countOf(runRooms([opened(true)], before))).toBe('6');
    expect(countOf(runRooms([took({ type: 'reset', room_id: 1, seq: 9000 })], before))).toBe('~6');
  });

  test('a room that resumes from where a page of history ended, ahead of the list, is an estimate', () => {
    const resuming = (since: number) => ({ type: 'resuming', roomId: 1, since }) as const;
    expect(countOf(runRooms([resuming(12)], before))).toBe('~6');
    expect(countOf(runRooms([resuming(10)], before))).toBe('6');
  });

  test('a head that comes late does not bring an earlier text back', () => {
    const last = { seq: 8, user_id: 8, username: 'bo', excerpt: 'early', created_at: '' };
    const state = runRooms(
      [took(message(11)), head({ from: 7, seq: 8, number: 8, texts: [[8, 8]], last })],
      before,
    );
    expect(state.rooms.get(1)).toMatchObject({ seq: 11, last: { seq: 11 } });
    expect(countOf(state)).toBe('7');
  });

  test('when the last text is gone, there is none', () => {
    const state = runRooms(
      [took(message(11)), head({ from: 11, seq: 12, gone: [[11, 8]], texts: [], last: null })],
      before,
    );
    expect(state.rooms.get(1)?.last).toBeNull();
    expect(countOf(state)).toBe('6');
  });

  test('an open room may be received before the list that it is on: the count is then an estimate', () => {
    const state = runRooms([helloAt(5), took(message(12)), roomsFrame([entry(1, 10, 4)])]);
    expect(state.rooms.get(1)).toMatchObject({ seq: 12, count: 'estimate' });
  });

  test('a head of a room that is not listed changes nothing', () => {
    expect(reduceRooms(before, head({ room_id: 9 }))).toBe(before);
  });
});

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
