import { describe, expect, test } from 'vitest';
import { ME, own, ROOM, range } from '../testing/messages.ts';
import {
  ack,
  batch,
  frame,
  hello,
  inRoom,
  item,
  latest,
  live,
  lost,
  opened,
  outbox,
  reset,
  run,
  seqs,
  sync,
} from '../testing/room-actions.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import { initialRoom, isLive, missing, type RoomSnapshot, snapshotOf } from './room-state.ts';

describe('7. the snapshot is shown until the server responds, and never replaces what the server sent', () => {
  const kept = (from: number, head: number, change: Partial<RoomSnapshot> = {}): RoomAction => ({
    type: 'restored',
    snapshot: { epoch: 'e1', head, messages: range(from, head), hasOlder: from > 1, ...change },
  });
  const resumed = (seq: number) => frame(hello(seq, { resumed: true }));

  test('it is shown, and is not loaded', () => {
    const state = run([kept(4, 6)]);
    expect(seqs(state)).toEqual([4, 5, 6]);
    expect(state).toMatchObject({ loaded: false, hasOlder: true, head: 6, epoch: 'e1' });
    expect(isLive(state)).toBe(false);
  });

  test('the connection resumes from it', () => {
    const state = run([kept(4, 6), opened, resumed(8), batch(range(7, 8)), sync(8), live(9)]);
    expect(seqs(state)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(state.loaded).toBe(true);
    expect(isLive(state)).toBe(true);
  });

  test('a page that follows on it is appended, another one starts over; the connection resumes from what is complete', () => {
    expect(seqs(run([kept(4, 6), latest(range(5, 8))]))).toEqual([4, 5, 6, 7, 8]);
    expect(run([kept(4, 6), latest(range(5, 8))])).toMatchObject({
      head: 6,
      loaded: true,
      stream: { seq: 6 },
    });
    expect(seqs(run([kept(4, 6), latest(range(9, 10), true)]))).toEqual([9, 10]);
  });

  test('too far behind, history starts over', () => {
    const state = run([kept(4, 6), opened, frame(hello(9000)), reset(9000)]);
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(8999, 9000), true, 9000, { resets: 1 })))).toEqual([
      8999, 9000,
    ]);
  });

  test('in another epoch, history starts over', () => {
    const there = frame(hello(2, { epoch: 'e2' }));
    const state = run([kept(4, 6), opened, there, reset(2, 'e2')]);
    expect(state.messages).toEqual([]);
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 2, { epoch: 'e2', resets: 1 })))).toEqual([
      1, 2,
    ]);
  });

  test('a late snapshot fills the gap before hello, and replaces nothing', () => {
    const early = run([opened, frame(hello(6))]);
    expect(isLive(run([kept(4, 6)], early))).toBe(true);
    expect(run([kept(4, 6)], early).loaded).toBe(true);
    expect(missing(run([kept(4, 5)], early))).toBe('history');
    const other = run([opened, frame(hello(6, { epoch: 'e2' }))]);
    expect(reduceRoom(other, kept(4, 6))).toBe(other);
    const there = inRoom(8);
    expect(reduceRoom(there, kept(4, 6))).toBe(there);
  });

  test('a snapshot between connecting and hello does not hide what hello leaves out', () => {
    const state = run([opened, kept(4, 6), frame(hello(8))]);
    expect(missing(state)).toBe('history');
    expect(seqs(run([live(9), latest(range(5, 8), true)], state))).toEqual([5, 6, 7, 8, 9]);
  });

  test('an own message that it contains is not pending', () => {
    const mine = kept(4, 6, { messages: [...range(4, 5), own(6, 'a')] });
    expect(run([outbox(item('a'), item('b')), mine]).pending.map(({ cid }) => cid)).toEqual(['b']);
    expect(run([mine, outbox(item('a'), item('b'))]).pending.map(({ cid }) => cid)).toEqual(['b']);
  });

  test('an own message that was acked before it was loaded is neither acked nor pending', () => {
    const early = run([opened, frame(hello(8)), outbox(item('a')), ack('a', 6)]);
    const state = run([kept(4, 6, { messages: [...range(4, 5), own(6, 'a')] })], early);
    expect(state).toMatchObject({ acked: [], pending: [] });
  });

  test('snapshotOf keeps the latest messages', () => {
    expect(snapshotOf(initialRoom(ROOM, ME), 3)).toBeNull();
    expect(snapshotOf(inRoom(6), 3)).toEqual({ epoch: 'e1', head: 6, messages: range(4, 6), hasOlder: true });
    expect(snapshotOf(inRoom(2), 3)).toEqual({
      epoch: 'e1',
      head: 2,
      messages: range(1, 2),
      hasOlder: false,
    });
    expect(snapshotOf(run([lost, opened, reset(9)], inRoom(3)), 3)).toBeNull();
  });
});
