import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import type { RoomFrame } from '../connection/socket.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import { initialRoom, isLive, missing, type RoomSnapshot, type RoomState, snapshotOf } from './room-state.ts';

const ROOM = 1;
const ME = { id: 7, username: 'ann' };
const BO = { user_id: 8, username: 'bo' };

/** The room's log: message n has seq n and id 10 n. */
function message(seq: number, change: Partial<Message> = {}): Message {
  return {
    type: 'message',
    id: seq * 10,
    room_id: ROOM,
    ...BO,
    content: `m${seq}`,
    created_at: new Date(seq).toISOString(),
    seq,
    ...change,
  };
}

const own = (seq: number, cid: string) => message(seq, { user_id: ME.id, username: ME.username, cid });
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => message(from + i));

function hello(seq: number, change: Partial<Frame<'hello'>> = {}): RoomFrame {
  return {
    type: 'hello',
    protocol: 2,
    room_id: ROOM,
    user_id: ME.id,
    username: ME.username,
    epoch: 'e1',
    seq,
    online: 1,
    users: [{ user_id: ME.id, username: ME.username }],
    server_time: new Date(0).toISOString(),
    heartbeat_ms: 25_000,
    limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 50, message_burst: 300 },
    resumed: false,
    ...change,
  };
}

const frame = (what: RoomFrame, now = 0): RoomAction => ({ type: 'frame', frame: what, now });
const live = (seq: number, change?: Partial<Message>) => frame(message(seq, change));
const sync = (seq: number) => frame({ type: 'sync', seq });
const batch = (events: Message[]) => frame({ type: 'batch', events });
const ack = (cid: string, seq: number) =>
  frame({ type: 'ack', cid, id: seq * 10, seq, created_at: new Date(seq).toISOString() });
const latest = (messages: Message[], hasMore = false, epoch: string | null = null, upTo = 0): RoomAction => ({
  type: 'latest',
  page: { messages, has_more: hasMore },
  epoch,
  upTo,
});
const older = (messages: Message[], beforeId: number, epoch: string | null = 'e1'): RoomAction => ({
  type: 'older',
  page: { messages, has_more: messages[0]?.seq !== 1 },
  beforeId,
  epoch,
  upTo: 0,
});
const opened: RoomAction = { type: 'connection', state: { status: 'open' } };
const lost: RoomAction = { type: 'connection', state: { status: 'waiting', retryAt: 0 } };

const item = (cid: string, change: Partial<OutboxItem> = {}): OutboxItem => ({
  cid,
  roomId: ROOM,
  content: `own ${cid}`,
  createdAt: 1,
  refusal: null,
  ...change,
});
const outbox = (...items: OutboxItem[]): RoomAction => ({ type: 'outbox', items });

const run = (actions: readonly RoomAction[], from: RoomState = initialRoom(ROOM, ME)) =>
  actions.reduce(reduceRoom, from);
const seqs = (state: RoomState) => state.messages.map((held) => held.seq);
const statuses = (state: RoomState) => state.pending.map((entry) => `${entry.cid} ${entry.status}`);

/** In the room, with messages 1 to `head`. */
const inRoom = (head: number, ...more: RoomAction[]) =>
  run([latest(range(1, head)), opened, frame(hello(head)), ...more]);

describe('1. messages have all up to head, in the order of seq, each once', () => {
  test('live messages follow on a page of history', () => {
    const state = inRoom(3, live(4), live(5));
    expect(seqs(state)).toEqual([1, 2, 3, 4, 5]);
    expect(state.head).toBe(5);
    expect(isLive(state)).toBe(true);
  });

  test('a seq that it has is ignored', () => {
    const state = inRoom(3, live(4));
    expect(reduceRoom(state, live(4))).toBe(state);
    expect(reduceRoom(state, live(2))).toBe(state);
  });

  test('older pages are put before, and only before what they were asked for', () => {
    const start = run([latest(range(5, 6), true), opened, frame(hello(6))]);
    expect(seqs(reduceRoom(start, older(range(3, 4), 50)))).toEqual([3, 4, 5, 6]);
    expect(reduceRoom(start, older(range(3, 4), 30))).toBe(start);
    expect(reduceRoom(start, older(range(3, 4), 50, 'e0'))).toBe(start);
  });

  test('older pages that do not reach to what is held are of another life: another connection has to tell', () => {
    const start = run([latest(range(5, 6), true), opened, frame(hello(6))]);
    for (const page of [range(1, 3), []]) {
      const state = reduceRoom(start, older(page, 50));
      expect(seqs(state)).toEqual([5, 6]);
      expect(state.hasOlder).toBe(true);
      expect(missing(state)).toBe('resume');
    }
  });

  test('what was missed comes in batches, and sync says up to where', () => {
    const state = run([lost, opened, frame(hello(7, { resumed: true }))], inRoom(3));
    expect(isLive(state)).toBe(false);
    const back = run([batch(range(3, 5)), batch([message(7)]), sync(8), live(9)], state);
    expect(seqs(back)).toEqual([1, 2, 3, 4, 5, 7, 9]);
    expect(back.head).toBe(9);
    expect(isLive(back)).toBe(true);
  });

  test('beyond what is to be kept the oldest go, and can be loaded again', () => {
    const state = reduceRoom(inRoom(5), { type: 'trim', keep: 2 });
    expect(seqs(state)).toEqual([4, 5]);
    expect(state.hasOlder).toBe(true);
  });
});

describe('2. what the stream brings and does not reach to head waits, over all connections', () => {
  const early = run([latest(range(1, 2)), opened, frame(hello(5)), live(6), live(7)]);

  test('a page that has what lies between puts it in its place', () => {
    expect(seqs(early)).toEqual([1, 2]);
    expect(missing(early)).toBe('history');
    expect(seqs(reduceRoom(early, latest(range(3, 5), true)))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('so it does after another connection, which goes on from where the last one ended', () => {
    const back = run([lost, opened, frame(hello(9, { resumed: true })), batch(range(8, 9)), sync(9)], early);
    expect(back.stream).toEqual({ epoch: 'e1', seq: 9, phase: 'live' });
    expect(seqs(reduceRoom(back, latest(range(3, 6), true, 'e1', 6)))).toEqual(seqs(inRoom(9)));
  });

  test('a page that is too far back for it is asked for again', () => {
    const state = reduceRoom(early, latest(range(1, 4)));
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(missing(state)).toBe('history');
  });

  test('there is an end to it: then a later page is needed', () => {
    const state = run([opened, frame(hello(0)), ...range(1, 5001).map((each) => frame(each))]);
    expect(state.ahead).toEqual([]);
    expect(seqs(run([latest(range(4990, 5000), true, 'e1'), live(5002)], state)).at(-1)).toBe(5000);
    const page = latest(range(4990, 5002), true, 'e1', 5001);
    expect(seqs(run([live(5002), page, live(5003)], state)).at(-1)).toBe(5003);
  });

  test('a gap in the stream is not applied, nor what comes after it: another connection is asked for', () => {
    const state = inRoom(3, live(5), live(4), live(6));
    expect(seqs(state)).toEqual([1, 2, 3]);
    expect(missing(state)).toBe('resume');
    expect(isLive(state)).toBe(false);
    const back = run([lost, opened, frame(hello(6, { resumed: true })), batch(range(4, 6)), sync(6)], state);
    expect(seqs(back)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(missing(back)).toBeNull();
  });
});

describe('3. while head is null nothing can follow on it; the next page of history begins anew', () => {
  test('at first: live messages wait for the page', () => {
    const early = run([opened, frame(hello(3)), live(4)]);
    expect(seqs(early)).toEqual([]);
    expect(missing(early)).toBe('history');
    expect(seqs(reduceRoom(early, latest(range(2, 3), true)))).toEqual([2, 3, 4]);
  });

  test('a page from before hello that does not reach to it is asked for again', () => {
    const state = run([latest(range(1, 2)), opened, frame(hello(5)), live(6)]);
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(3, 5), true)))).toEqual([1, 2, 3, 4, 5, 6]);
    // Far behind, what was held is not continued: it would have a hole.
    const anew = reduceRoom(state, latest(range(4, 5), true));
    expect(seqs(anew)).toEqual([4, 5, 6]);
    expect(anew.hasOlder).toBe(true);
  });

  test('an empty room has its first message', () => {
    const state = run([opened, frame(hello(0)), latest([])]);
    expect(isLive(state)).toBe(true);
    expect(seqs(reduceRoom(state, live(1)))).toEqual([1]);
  });

  test('a page is known to have all up to what hello had said when it was asked for', () => {
    // The last events are no messages, so no message has their numbers.
    const state = run([opened, frame(hello(5)), latest(range(1, 3), false, 'e1', 5)]);
    expect(missing(state)).toBeNull();
    expect(seqs(reduceRoom(state, live(6)))).toEqual([1, 2, 3, 6]);
  });

  test('a page that lacks what came before it was asked for is of another life: another connection has to tell', () => {
    // The line is dead, as is the server it led to; the page is of the next one, which begins with an old backup.
    const state = run([opened, frame(hello(3)), live(4), live(5)]);
    const after = reduceRoom(state, latest(range(1, 3), false, 'e1', 5));
    expect(missing(after)).toBe('resume');
    expect(seqs(after)).toEqual([]);
    const back = run([lost, opened, frame(hello(3, { epoch: 'e2' }))], after);
    expect(seqs(reduceRoom(back, latest(range(1, 3), false, 'e2', 3)))).toEqual([1, 2, 3]);
  });

  test('after a reset what is held stays to be seen until the page is there', () => {
    const reset = run(
      [lost, opened, frame(hello(9)), frame({ type: 'reset', seq: 9, epoch: 'e1' })],
      inRoom(3),
    );
    expect(seqs(reset)).toEqual([1, 2, 3]);
    expect(missing(reset)).toBe('history');
    const state = run([live(10), latest(range(8, 9), true, 'e1', 9)], reset);
    expect(seqs(state)).toEqual([8, 9, 10]);
    expect(isLive(state)).toBe(true);
  });

  test('a first page that has more than hello says is read again', () => {
    const state = run([latest(range(1, 5)), opened, frame(hello(3))]);
    expect(missing(state)).toBe('history');
    expect(seqs(run([live(4), latest(range(2, 3), true, 'e1', 3)], state))).toEqual([2, 3, 4]);
  });

  test('in another epoch the numbers mean other messages', () => {
    const restored = run([lost, opened, frame(hello(2, { epoch: 'e2' }))], inRoom(5));
    expect(restored).toMatchObject({ head: null, messages: [], loaded: false, hasOlder: false });
    const state = run([frame({ type: 'reset', seq: 2, epoch: 'e2' }), live(3)], restored);
    // A page that was asked for in the life before is of no use.
    expect(reduceRoom(state, latest(range(1, 5), false, 'e1', 5))).toBe(state);
    const loaded = reduceRoom(state, latest([message(2)], true, 'e2', 2));
    expect(reduceRoom(loaded, older([message(1, { content: 'of e1' })], 20, 'e1'))).toBe(loaded);
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 'e2', 2)))).toEqual([1, 2, 3]);
  });

  test('another epoch that goes on from 0 has its history read', () => {
    const there = hello(2, { epoch: 'e2', resumed: true });
    const state = run([lost, opened, frame(there), batch(range(1, 2)), sync(2), live(3)], inRoom(0));
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 'e2', 2)))).toEqual([1, 2, 3]);
  });
});

describe('4. an own message is seen once: pending, or acked, or in its place', () => {
  const sending = inRoom(3, outbox(item('a')), { type: 'written', cids: new Set(['a']) });

  test('queued, sent, and on a new connection queued again', () => {
    expect(statuses(inRoom(3, outbox(item('a'))))).toEqual(['a queued']);
    expect(statuses(sending)).toEqual(['a sent']);
    expect(statuses(reduceRoom(sending, outbox(item('a'), item('b'))))).toEqual(['a sent', 'b queued']);
    expect(statuses(reduceRoom(sending, lost))).toEqual(['a queued']);
  });

  test('echo, then ack', () => {
    const state = run([frame(own(4, 'a')), ack('a', 4)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toEqual([]);
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
  });

  test('ack, then echo: in between it is shown as what it is, a stored message', () => {
    const acked = run([ack('a', 5)], sending);
    expect(acked.pending).toEqual([]);
    expect(acked.acked).toMatchObject([
      { seq: 5, id: 50, content: 'own a', user_id: ME.id, username: 'ann', cid: 'a' },
    ]);
    // The one before it is on its way: no gap.
    expect(missing(acked)).toBeNull();
    const state = run([live(4), frame(own(5, 'a'))], acked);
    expect(state.acked).toEqual([]);
    expect(seqs(state)).toEqual([1, 2, 3, 4, 5]);
  });

  test('its place is not reached, as history does not come: it is shown as stored', () => {
    const early = run([opened, frame(hello(3)), outbox(item('a')), frame(own(4, 'a')), ack('a', 4)]);
    expect(early).toMatchObject({ messages: [], pending: [], acked: [{ seq: 4, cid: 'a' }] });
    const state = reduceRoom(early, latest(range(1, 3), false, 'e1', 3));
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(state.acked).toEqual([]);
  });

  test('an ack of what lies further back than what is held ends it', () => {
    const state = run([ack('a', 2)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toEqual([]);
  });

  test('history has it: after a reload it is not pending, whichever comes first', () => {
    const page = latest([...range(1, 2), own(3, 'a')]);
    expect(run([page, outbox(item('a'))]).pending).toEqual([]);
    expect(run([outbox(item('a')), page]).pending).toEqual([]);
    const before = older([own(1, 'a')], 20, null);
    expect(run([outbox(item('a')), latest(range(2, 3), true), before]).pending).toEqual([]);
  });

  test("somebody else's message confirms nothing, whatever cid it has", () => {
    expect(statuses(run([live(4, { cid: 'a' })], sending))).toEqual(['a sent']);
  });

  const error = (retryable: boolean) =>
    frame({ type: 'error', content: 'no', code: 'too_fast', cid: 'a', retryable });

  test('an error that may be better later queues it again, another one fails it', () => {
    expect(statuses(run([error(true)], sending))).toEqual(['a queued']);
    const failed = run([error(false)], sending);
    expect(failed.pending).toMatchObject([{ cid: 'a', status: 'failed', refusal: 'too_fast' }]);
    expect(statuses(run([outbox(item('a', { refusal: null }))], failed))).toEqual(['a queued']);
  });

  test('an error that comes after the ack changes nothing', () => {
    const state = run([ack('a', 4), error(false)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toHaveLength(1);
  });
});

describe('5. who is there is what hello, join, leave and presence say, and unknown while the line is down', () => {
  const join = (user_id: number, online: number) =>
    frame({ type: 'join', room_id: ROOM, user_id, username: `u${user_id}`, online });
  const leave = (user_id: number, online: number) =>
    frame({ type: 'leave', room_id: ROOM, user_id, username: `u${user_id}`, online });
  const users = (state: RoomState) => state.users.map((user) => user.user_id);

  test('hello says it, joins and leaves move it', () => {
    const state = inRoom(3, join(8, 2), join(9, 3), leave(8, 2));
    expect(state.online).toBe(2);
    expect(users(state)).toEqual([ME.id, 9]);
    expect(state.notices.map(({ kind, userId, afterSeq }) => [kind, userId, afterSeq])).toEqual([
      ['join', 8, 3],
      ['join', 9, 3],
      ['leave', 8, 3],
    ]);
  });

  test('in bulk, in a large room', () => {
    const change = { joined: [BO, { user_id: 9, username: 'cy' }], left: [{ user_id: 10, username: 'di' }] };
    const state = inRoom(3, frame({ type: 'presence', online: 30, ...change }));
    expect(state.online).toBe(30);
    expect(users(state)).toEqual([ME.id, 8, 9]);
    expect(state.notices.map((notice) => notice.kind)).toEqual(['join', 'join', 'leave']);
  });

  test('a list of who is there replaces what is known, and is no news', () => {
    const everybody = [{ user_id: ME.id, username: ME.username }, BO];
    const before = inRoom(3, join(8, 2), join(9, 3));
    const state = reduceRoom(
      before,
      frame({ type: 'presence', online: 2, joined: [], left: [], users: everybody }),
    );
    expect(users(state)).toEqual([ME.id, 8]);
    expect(state.notices).toEqual(before.notices);
  });

  test('one’s own coming is no news', () => {
    expect(inRoom(3, join(ME.id, 1)).notices).toEqual([]);
  });

  test('a notice that came before the first page stands at its end', () => {
    const state = run([opened, frame(hello(3)), join(8, 2), latest(range(1, 3))]);
    expect(state.notices.map((notice) => notice.afterSeq)).toEqual([3]);
  });

  test('unknown while the line is down', () => {
    expect(inRoom(3, lost)).toMatchObject({ online: null, users: [], latencyMs: null });
  });
});

describe('6. typing ends with a frame, a message, a leave or 3 s of silence, and is never one’s own', () => {
  const typing = (user_id: number, is_typing: boolean, now = 0) =>
    frame({ type: 'typing', room_id: ROOM, user_id, username: 'bo', is_typing }, now);
  const who = (...actions: RoomAction[]) => inRoom(3, ...actions).typing.map((typist) => typist.userId);

  test('shown while it lasts, 3 s from the last sign', () => {
    expect(who(typing(8, true), typing(8, true, 2000), { type: 'tick', now: 4999 })).toEqual([8]);
    expect(who(typing(8, true), typing(8, true, 2000), { type: 'tick', now: 5000 })).toEqual([]);
  });

  test('gone with false, with a message, with a leave, with the line', () => {
    const leave = frame({ type: 'leave', room_id: ROOM, ...BO, online: 1 });
    for (const end of [typing(8, false), live(4), leave, lost]) expect(who(typing(8, true), end)).toEqual([]);
  });

  test('never one’s own', () => {
    expect(who(typing(ME.id, true))).toEqual([]);
  });
});

describe('7. what was kept from an earlier visit stands until the server tells more, and never replaces what it told', () => {
  const kept = (from: number, head: number, change: Partial<RoomSnapshot> = {}): RoomAction => ({
    type: 'restored',
    snapshot: { epoch: 'e1', head, messages: range(from, head), hasOlder: from > 1, ...change },
  });
  const resumed = (seq: number) => frame(hello(seq, { resumed: true }));

  test('it is there, and not yet what the server has told', () => {
    const state = run([kept(4, 6)]);
    expect(seqs(state)).toEqual([4, 5, 6]);
    expect(state).toMatchObject({ loaded: false, hasOlder: true, head: 6, epoch: 'e1' });
    expect(isLive(state)).toBe(false);
  });

  test('the connection goes on from there', () => {
    const state = run([kept(4, 6), opened, resumed(8), batch(range(7, 8)), sync(8), live(9)]);
    expect(seqs(state)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(state.loaded).toBe(true);
    expect(isLive(state)).toBe(true);
  });

  test('a page that goes on from it is put after it, one that does not begins anew', () => {
    expect(seqs(run([kept(4, 6), latest(range(5, 8))]))).toEqual([4, 5, 6, 7, 8]);
    expect(seqs(run([kept(4, 6), latest(range(9, 10), true)]))).toEqual([9, 10]);
  });

  test('too far behind, the history begins anew', () => {
    const reset = run([
      kept(4, 6),
      opened,
      frame(hello(9000)),
      frame({ type: 'reset', seq: 9000, epoch: 'e1' }),
    ]);
    expect(missing(reset)).toBe('history');
    expect(seqs(reduceRoom(reset, latest(range(8999, 9000), true, 'e1', 9000)))).toEqual([8999, 9000]);
  });

  test('in another epoch the history begins anew', () => {
    const there = frame(hello(2, { epoch: 'e2' }));
    const state = run([kept(4, 6), opened, there, frame({ type: 'reset', seq: 2, epoch: 'e2' })]);
    expect(state.messages).toEqual([]);
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 'e2', 2)))).toEqual([1, 2]);
  });

  test('read late, it fills what hello left open, and takes nothing back', () => {
    const early = run([opened, frame(hello(6))]);
    expect(isLive(run([kept(4, 6)], early))).toBe(true);
    expect(run([kept(4, 6)], early).loaded).toBe(true);
    expect(missing(run([kept(4, 5)], early))).toBe('history');
    const other = run([opened, frame(hello(6, { epoch: 'e2' }))]);
    expect(reduceRoom(other, kept(4, 6))).toBe(other);
    const there = inRoom(8);
    expect(reduceRoom(there, kept(4, 6))).toBe(there);
  });

  test('read between connecting and hello, it does not make up for what hello does not send', () => {
    const state = run([opened, kept(4, 6), frame(hello(8))]);
    expect(missing(state)).toBe('history');
    expect(seqs(run([live(9), latest(range(5, 8), true, 'e1', 8)], state))).toEqual([4, 5, 6, 7, 8, 9]);
  });

  test('an own message that it has is not pending', () => {
    const mine = kept(4, 6, { messages: [...range(4, 5), own(6, 'a')] });
    expect(run([outbox(item('a'), item('b')), mine]).pending.map(({ cid }) => cid)).toEqual(['b']);
    expect(run([mine, outbox(item('a'), item('b'))]).pending.map(({ cid }) => cid)).toEqual(['b']);
  });

  test('nor is one that was acked before it was read', () => {
    const early = run([opened, frame(hello(8)), outbox(item('a')), ack('a', 6)]);
    const state = run([kept(4, 6, { messages: [...range(4, 5), own(6, 'a')] })], early);
    expect(state).toMatchObject({ acked: [], pending: [] });
  });

  test('what may be kept is the end of what is known to belong to an epoch', () => {
    expect(snapshotOf(initialRoom(ROOM, ME), 3)).toBeNull();
    expect(snapshotOf(run([latest(range(1, 6))]), 3)).toBeNull();
    expect(snapshotOf(inRoom(6), 3)).toEqual({ epoch: 'e1', head: 6, messages: range(4, 6), hasOlder: true });
    expect(snapshotOf(inRoom(2), 3)).toEqual({
      epoch: 'e1',
      head: 2,
      messages: range(1, 2),
      hasOlder: false,
    });
    const reset = run([lost, opened, frame({ type: 'reset', seq: 9, epoch: 'e1' })], inRoom(3));
    expect(snapshotOf(reset, 3)).toBeNull();
  });
});
