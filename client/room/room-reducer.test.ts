import { describe, expect, test } from 'vitest';
import { message, range } from '../testing/messages.ts';
import {
  batch,
  frame,
  hello,
  inRoom,
  latest,
  live,
  lost,
  older,
  opened,
  run,
  seqs,
  sync,
} from '../testing/room-actions.ts';
import { reduceRoom } from './room-reducer.ts';
import { isLive, missing } from './room-state.ts';

describe('1. messages contain everything up to head, in the order of seq, each once', () => {
  test('live messages follow on a page of history', () => {
    const state = inRoom(3, live(4), live(5));
    expect(seqs(state)).toEqual([1, 2, 3, 4, 5]);
    expect(state.head).toBe(5);
    expect(isLive(state)).toBe(true);
  });

  test('a seq that is held is ignored', () => {
    const state = inRoom(3, live(4));
    expect(reduceRoom(state, live(4))).toBe(state);
    expect(reduceRoom(state, live(2))).toBe(state);
  });

  test('an older page goes before the message that it was requested for, and nowhere else', () => {
    const start = run([latest(range(5, 6), true), opened, frame(hello(6))]);
    expect(seqs(reduceRoom(start, older(range(3, 4), 50)))).toEqual([3, 4, 5, 6]);
    expect(reduceRoom(start, older(range(3, 4), 30))).toBe(start);
    expect(reduceRoom(start, older(range(3, 4), 50, 'e0'))).toBe(start);
  });

  test('an older page that does not reach the messages held is of another database: resume', () => {
    const start = run([latest(range(5, 6), true), opened, frame(hello(6))]);
    for (const page of [range(1, 3), []]) {
      const state = reduceRoom(start, older(page, 50));
      expect(seqs(state)).toEqual([5, 6]);
      expect(state.hasOlder).toBe(true);
      expect(missing(state)).toBe('resume');
    }
  });

  test('missed messages come in batches, and sync ends them', () => {
    const state = run([lost, opened, frame(hello(7, { resumed: true }))], inRoom(3));
    expect(isLive(state)).toBe(false);
    const back = run([batch(range(3, 5)), batch([message(7)]), sync(8), live(9)], state);
    expect(seqs(back)).toEqual([1, 2, 3, 4, 5, 7, 9]);
    expect(back.head).toBe(9);
    expect(isLive(back)).toBe(true);
  });

  test('trim drops the oldest messages, which can be loaded again', () => {
    const state = reduceRoom(inRoom(5), { type: 'trim', keep: 2 });
    expect(seqs(state)).toEqual([4, 5]);
    expect(state.hasOlder).toBe(true);
  });
});

describe('2. received messages that do not follow on head wait, across connections', () => {
  const early = run([latest(range(1, 2)), opened, frame(hello(5)), live(6), live(7)]);

  test('the page in between puts them in their place', () => {
    expect(seqs(early)).toEqual([1, 2]);
    expect(missing(early)).toBe('history');
    expect(seqs(reduceRoom(early, latest(range(3, 5), true)))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('they survive a new connection, which resumes where the last one ended', () => {
    const back = run([lost, opened, frame(hello(9, { resumed: true })), batch(range(8, 9)), sync(9)], early);
    expect(back.stream).toEqual({ epoch: 'e1', seq: 9, phase: 'live' });
    expect(seqs(reduceRoom(back, latest(range(3, 6), true, 'e1', 6)))).toEqual(seqs(inRoom(9)));
  });

  test('a page that does not reach them is requested again', () => {
    const state = reduceRoom(early, latest(range(1, 4)));
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(missing(state)).toBe('history');
  });

  test('beyond 5 000 they are dropped, and a later page is required', () => {
    const state = run([opened, frame(hello(0)), ...range(1, 5001).map((each) => frame(each))]);
    expect(state.ahead).toEqual([]);
    expect(seqs(run([latest(range(4990, 5000), true, 'e1'), live(5002)], state)).at(-1)).toBe(5000);
    const page = latest(range(4990, 5002), true, 'e1', 5001);
    expect(seqs(run([live(5002), page, live(5003)], state)).at(-1)).toBe(5003);
  });

  test('a gap in the stream, and everything after it, is not applied: resume', () => {
    const state = inRoom(3, live(5), live(4), live(6));
    expect(seqs(state)).toEqual([1, 2, 3]);
    expect(missing(state)).toBe('resume');
    expect(isLive(state)).toBe(false);
    const back = run([lost, opened, frame(hello(6, { resumed: true })), batch(range(4, 6)), sync(6)], state);
    expect(seqs(back)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(missing(back)).toBeNull();
  });
});

describe('3. while head is null nothing can follow on it, and the next page starts over', () => {
  test('at first, live messages wait for the page', () => {
    const early = run([opened, frame(hello(3)), live(4)]);
    expect(seqs(early)).toEqual([]);
    expect(missing(early)).toBe('history');
    expect(seqs(reduceRoom(early, latest(range(2, 3), true)))).toEqual([2, 3, 4]);
  });

  test('a page that was read before hello and does not reach it is requested again', () => {
    const state = run([latest(range(1, 2)), opened, frame(hello(5)), live(6)]);
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(3, 5), true)))).toEqual([1, 2, 3, 4, 5, 6]);
    // A page further ahead starts over: appending it would leave a gap.
    const anew = reduceRoom(state, latest(range(4, 5), true));
    expect(seqs(anew)).toEqual([4, 5, 6]);
    expect(anew.hasOlder).toBe(true);
  });

  test('an empty room shows its first message', () => {
    const state = run([opened, frame(hello(0)), latest([])]);
    expect(isLive(state)).toBe(true);
    expect(seqs(reduceRoom(state, live(1)))).toEqual([1]);
  });

  test('a page contains everything up to the stream’s seq at the time of the request', () => {
    // The last events are not messages, so no message has their numbers.
    const state = run([opened, frame(hello(5)), latest(range(1, 3), false, 'e1', 5)]);
    expect(missing(state)).toBeNull();
    expect(seqs(reduceRoom(state, live(6)))).toEqual([1, 2, 3, 6]);
  });

  test('a page without a message that came before the request is of another database: resume', () => {
    // The connection and its server are gone. The page is of the next server, which started from an old backup.
    const state = run([opened, frame(hello(3)), live(4), live(5)]);
    const after = reduceRoom(state, latest(range(1, 3), false, 'e1', 5));
    expect(missing(after)).toBe('resume');
    expect(seqs(after)).toEqual([]);
    const back = run([lost, opened, frame(hello(3, { epoch: 'e2' }))], after);
    expect(seqs(reduceRoom(back, latest(range(1, 3), false, 'e2', 3)))).toEqual([1, 2, 3]);
  });

  test('after a reset the messages held stay until the page has come', () => {
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

  test('a first page with more than hello is requested again', () => {
    const state = run([latest(range(1, 5)), opened, frame(hello(3))]);
    expect(missing(state)).toBe('history');
    expect(seqs(run([live(4), latest(range(2, 3), true, 'e1', 3)], state))).toEqual([2, 3, 4]);
  });

  test('in another epoch everything held is dropped', () => {
    const restored = run([lost, opened, frame(hello(2, { epoch: 'e2' }))], inRoom(5));
    expect(restored).toMatchObject({ head: null, messages: [], loaded: false, hasOlder: false });
    const state = run([frame({ type: 'reset', seq: 2, epoch: 'e2' }), live(3)], restored);
    // A page that was requested in the earlier epoch is dropped.
    expect(reduceRoom(state, latest(range(1, 5), false, 'e1', 5))).toBe(state);
    const loaded = reduceRoom(state, latest([message(2)], true, 'e2', 2));
    expect(reduceRoom(loaded, older([message(1, { content: 'of e1' })], 20, 'e1'))).toBe(loaded);
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 'e2', 2)))).toEqual([1, 2, 3]);
  });

  test('another epoch that resumes from 0 has its history read', () => {
    const there = hello(2, { epoch: 'e2', resumed: true });
    const state = run([lost, opened, frame(there), batch(range(1, 2)), sync(2), live(3)], inRoom(0));
    expect(missing(state)).toBe('history');
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 'e2', 2)))).toEqual([1, 2, 3]);
  });
});
