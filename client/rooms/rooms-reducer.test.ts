import { describe, expect, test } from 'vitest';
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

describe('the facts of an open room', () => {
  const by = { user_id: 8, username: 'bo' };
  const { id: _, ...known } = roomInfo(1);
  const renamed = (seq: number, name: string) =>
    message(seq, { content: '', notice: { kind: 'renamed', by, room: { ...known, name } } });
  const nameIn = (state: ReturnType<typeof inRooms>) => state.rooms.get(1)?.room.name;

  test('are those of its last notice, live or in a batch', () => {
    const state = runRooms([took(renamed(11, 'one'))], inRooms([entry(1, 10, 4)]));
    expect(nameIn(state)).toBe('one');
    const events = [renamed(12, 'two'), renamed(13, 'three')];
    expect(nameIn(runRooms([took({ type: 'batch', room_id: 1, events })], state))).toBe('three');
  });

  test('a notice of an older server has no hue, and takes none away; a kind that is not known is a notice, too', () => {
    const before = inRooms([entry(1, 10, 4)]);
    const hued = message(11, { content: '', notice: { kind: 'hue', by, room: { ...known, hue: 'teal' } } });
    const { hue: __, ...older } = { ...known, name: 'two' };
    const unknown = { kind: 'of a newer server', by, room: { ...known, name: 'three', hue: 'sky' } } as never;
    let state = runRooms([took(hued)], before);
    expect(state.rooms.get(1)?.room).toMatchObject({ hue: 'teal' });
    state = runRooms(
      [took(message(12, { content: '', notice: { kind: 'renamed', by, room: older } }))],
      state,
    );
    expect(state.rooms.get(1)?.room).toMatchObject({ hue: 'teal', name: 'two' });
    state = runRooms([took(message(13, { content: '', notice: unknown }))], state);
    expect(state.rooms.get(1)?.room).toMatchObject({ hue: 'sky', name: 'three' });
  });

  test('a notice that the list has already changes nothing', () => {
    const before = inRooms([entry(1, 12, 4)]);
    expect(nameIn(runRooms([took(renamed(11, 'earlier'))], before))).toBe(nameIn(before));
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

  test('a text that changed before it was heard makes an estimate, unless it is read', () => {
    const late = (seq: number) => [
      took({ type: 'batch', room_id: 1, events: [message(12)] }),
      took(message(seq, { changed_seq: 13 })),
    ];
    expect(countOf(runRooms(late(11), before))).toBe('~7');
    expect(countOf(runRooms(late(4), before))).toBe('7');
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

  test('the latest text is one line without Markdown, by messages as by heads', () => {
    const said = { ...message(11), content: '**two**\n`lines`' };
    expect(runRooms([took(said)], before).rooms.get(1)?.last).toMatchObject({ excerpt: 'two lines' });
  });

  test('when the last text is deleted, it stays the last one, with an empty excerpt: by heads and by messages', () => {
    const deleted = { seq: 11, user_id: 8, username: 'bo', excerpt: '', created_at: '' };
    const byHead = head({ from: 11, seq: 12, gone: [[11, 8]], texts: [], last: deleted });
    const byMessage = took(message(11, { changed_seq: 12, content: '', deleted_at: '' }));
    for (const deletion of [byHead, byMessage]) {
      const state = runRooms([took(message(11)), deletion], before);
      expect(state.rooms.get(1)?.last).toMatchObject({ seq: 11, excerpt: '' });
    }
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
