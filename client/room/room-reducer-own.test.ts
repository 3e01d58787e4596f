import { describe, expect, test } from 'vitest';
import { BO, ME, own, ROOM, range } from '../testing/messages.ts';
import {
  ack,
  frame,
  hello,
  inRoom,
  item,
  latest,
  live,
  lost,
  older,
  opened,
  outbox,
  run,
  seqs,
  statuses,
} from '../testing/room-actions.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import { missing, type RoomState } from './room-state.ts';

describe('4. an own message is shown once: as pending, as acked, or in its place', () => {
  const sending = inRoom(3, outbox(item('a')), { type: 'written', cids: new Set(['a']) });

  test('it is queued, then sent, and queued again on a new connection', () => {
    expect(statuses(inRoom(3, outbox(item('a'))))).toEqual(['a queued']);
    expect(statuses(sending)).toEqual(['a sent']);
    expect(statuses(reduceRoom(sending, outbox(item('a'), item('b'))))).toEqual(['a sent', 'b queued']);
    expect(statuses(reduceRoom(sending, lost))).toEqual(['a queued']);
  });

  test('the message, then its ack', () => {
    const state = run([frame(own(4, 'a')), ack('a', 4)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toEqual([]);
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
  });

  test('the ack, then the message: in between it is shown as acked', () => {
    const acked = run([ack('a', 5)], sending);
    expect(acked.pending).toEqual([]);
    expect(acked.acked).toMatchObject([
      { seq: 5, id: 50, content: 'own a', user_id: ME.id, username: 'ann', cid: 'a' },
    ]);
    // The message before it is still arriving: there is no gap.
    expect(missing(acked)).toBeNull();
    const state = run([live(4), frame(own(5, 'a'))], acked);
    expect(state.acked).toEqual([]);
    expect(seqs(state)).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([4, 5])(
    'its files are at first as the device knows them, then as the server has them (seq %i)',
    (seq) => {
      const known = { name: 'a.png', type: 'image/png', size: 9 };
      const waiting = inRoom(3, outbox(item('a', { files: [{ ...known, key: 'k', upload: 'u' }] })));
      const acked = run([{ type: 'written', cids: new Set(['a']) }, ack('a', seq)], waiting);
      const shown = (state: RoomState) => [...state.messages, ...state.acked].at(-1)?.files;
      expect(shown(acked)).toEqual([{ ...known, key: 'k', state: 'checking' }]);
      const files = [{ ...known, key: 'k', size: 8, width: 4, height: 3 }];
      const before = seq === 4 ? [] : [live(4)];
      const state = run([...before, frame({ ...own(seq, 'a'), files })], acked);
      expect(shown(state)).toEqual(files);
    },
  );

  test('it is shown as acked while history is missing', () => {
    const early = run([opened, frame(hello(3)), outbox(item('a')), frame(own(4, 'a')), ack('a', 4)]);
    expect(early).toMatchObject({ messages: [], pending: [], acked: [{ seq: 4, cid: 'a' }] });
    const state = reduceRoom(early, latest(range(1, 3)));
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(state.acked).toEqual([]);
  });

  test('an ack for a seq before the messages held removes it', () => {
    const state = run([ack('a', 2)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toEqual([]);
  });

  test('a page that contains it removes it from pending, whichever comes first', () => {
    const page = latest([...range(1, 2), own(3, 'a')]);
    expect(run([page, outbox(item('a'))]).pending).toEqual([]);
    expect(run([outbox(item('a')), page]).pending).toEqual([]);
    const before = older([own(1, 'a')], 20);
    expect(run([outbox(item('a')), latest(range(2, 3), true), before]).pending).toEqual([]);
  });

  test('another user’s message with its cid confirms nothing', () => {
    expect(statuses(run([live(4, { cid: 'a' })], sending))).toEqual(['a sent']);
  });

  const error = (retryable: boolean) =>
    frame({ type: 'error', room_id: ROOM, content: 'no', code: 'too_fast', cid: 'a', retryable });

  test('a temporary error queues it again, a permanent one fails it', () => {
    expect(statuses(run([error(true)], sending))).toEqual(['a queued']);
    const failed = run([error(false)], sending);
    expect(failed.pending).toMatchObject([{ cid: 'a', status: 'failed', refusal: 'too_fast' }]);
    expect(statuses(run([outbox(item('a', { refusal: null }))], failed))).toEqual(['a queued']);
  });

  test('an error after the ack changes nothing', () => {
    const state = run([ack('a', 4), error(false)], sending);
    expect(state.pending).toEqual([]);
    expect(state.acked).toHaveLength(1);
  });
});

describe('5. users and online follow opened and presence, and are unknown without a connection', () => {
  const person = (user_id: number) => ({ user_id, username: `u${user_id}` });
  const join = (user_id: number, online: number) =>
    frame({ type: 'presence', room_id: ROOM, online, joined: [person(user_id)], left: [] });
  const leave = (user_id: number, online: number) =>
    frame({ type: 'presence', room_id: ROOM, online, joined: [], left: [person(user_id)] });
  const users = (state: RoomState) => state.users.map((user) => user.user_id);

  test('opened sets them, presence changes them', () => {
    const state = inRoom(3, join(8, 2), join(9, 3), leave(8, 2));
    expect(state.online).toBe(2);
    expect(users(state)).toEqual([ME.id, 9]);
    expect(state.notices.map(({ kind, userId, afterSeq }) => [kind, userId, afterSeq])).toEqual([
      ['join', 8, 3],
      ['join', 9, 3],
      ['leave', 8, 3],
    ]);
  });

  test('in a large room presence changes them in bulk', () => {
    const change = { joined: [BO, { user_id: 9, username: 'cy' }], left: [{ user_id: 10, username: 'di' }] };
    const state = inRoom(3, frame({ type: 'presence', room_id: ROOM, online: 30, ...change }));
    expect(state.online).toBe(30);
    expect(users(state)).toEqual([ME.id, 8, 9]);
    expect(state.notices.map((notice) => notice.kind)).toEqual(['join', 'join', 'leave']);
  });

  test('a list of users replaces the known one, without notices', () => {
    const everybody = [{ user_id: ME.id, username: ME.username }, BO];
    const before = inRoom(3, join(8, 2), join(9, 3));
    const state = reduceRoom(
      before,
      frame({ type: 'presence', room_id: ROOM, online: 2, joined: [], left: [], users: everybody }),
    );
    expect(users(state)).toEqual([ME.id, 8]);
    expect(state.notices).toEqual(before.notices);
  });

  test('the user’s own join creates no notice', () => {
    expect(inRoom(3, join(ME.id, 1)).notices).toEqual([]);
  });

  test('a notice that came before the first page stands at its end', () => {
    const state = run([opened, frame(hello(3)), join(8, 2), latest(range(1, 3))]);
    expect(state.notices.map((notice) => notice.afterSeq)).toEqual([3]);
  });

  test('they are unknown without a connection', () => {
    expect(inRoom(3, lost)).toMatchObject({ online: null, users: [], latencyMs: null });
  });
});

describe('6. typing ends with a frame, a message, a leave or 3 s of silence, and is never the user’s own', () => {
  const typing = (user_id: number, is_typing: boolean, now = 0) =>
    frame({ type: 'typing', room_id: ROOM, user_id, username: 'bo', is_typing }, now);
  const who = (...actions: RoomAction[]) => inRoom(3, ...actions).typing.map((typist) => typist.userId);

  test('it is shown for 3 s after the last frame', () => {
    expect(who(typing(8, true), typing(8, true, 2000), { type: 'tick', now: 4999 })).toEqual([8]);
    expect(who(typing(8, true), typing(8, true, 2000), { type: 'tick', now: 5000 })).toEqual([]);
  });

  test('it ends with false, a message, a leave, or the connection', () => {
    const leave = frame({ type: 'presence', room_id: ROOM, online: 1, joined: [], left: [BO] });
    for (const end of [typing(8, false), live(4), leave, lost]) expect(who(typing(8, true), end)).toEqual([]);
  });

  test('the user’s own typing is not shown', () => {
    expect(who(typing(ME.id, true))).toEqual([]);
  });
});
