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
  reset,
  run,
  seqs,
  sync,
} from '../testing/room-actions.ts';
import { reduceRoom } from './room-reducer.ts';
import { isLive, missing } from './room-state.ts';

describe('1. messages contain every message once, in the order of seq, in its latest state up to head', () => {
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
    const start = run([opened, frame(hello(6)), latest(range(5, 6), true)]);
    expect(seqs(reduceRoom(start, older(range(3, 4), 50)))).toEqual([3, 4, 5, 6]);
    expect(seqs(reduceRoom(start, older(range(3, 4), 30)))).toEqual([5, 6]);
  });

  test('an older page of another database is not taken: resume', () => {
    const start = run([opened, frame(hello(6)), latest(range(5, 6), true)]);
    const state = reduceRoom(start, older(range(3, 4), 50, { epoch: 'e2' }));
    expect(seqs(state)).toEqual([5, 6]);
    expect(state.hasOlder).toBe(true);
    expect(missing(state)).toBe('resume');
  });

  test('numbers between the messages of pages are normal', () => {
    const start = run([opened, frame(hello(12)), latest([message(5), message(9)], true, 12)]);
    const state = run([older([message(1), message(3)], 50), live(13)], start);
    expect(seqs(state)).toEqual([1, 3, 5, 9, 13]);
    expect(isLive(state)).toBe(true);
  });

  test('a message that changed while the connection was lost comes in the place of its change', () => {
    const away = run([lost, opened, frame(hello(5, { resumed: true }))], inRoom(0));
    // Until then it is missing, as its state at the head is not known.
    const between = reduceRoom(away, batch([message(1), message(2), message(4)]));
    expect(between).toMatchObject({ head: 4, stream: { phase: 'behind' } });
    expect(seqs(between)).toEqual([1, 2, 4]);
    const state = run([batch([message(3, { changed_seq: 5 })]), sync(5)], between);
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(isLive(state)).toBe(true);
  });

  test('a change replaces the message, wherever it stands, and leaves the others alone', () => {
    const edited = (seq: number, changed_seq: number) =>
      live(seq, { changed_seq, content: `edit ${changed_seq}` });
    const state = inRoom(3, edited(2, 4), live(5), edited(5, 6), edited(2, 7));
    expect(state.messages.map(({ content }) => content)).toEqual(['m1', 'edit 7', 'm3', 'edit 6']);
    expect(state.head).toBe(7);
    expect(isLive(state)).toBe(true);
  });

  test('a change of a message before the oldest held is not put in', () => {
    const start = run([opened, frame(hello(6)), latest(range(5, 6), true)]);
    expect(seqs(run([live(2, { changed_seq: 7 })], start))).toEqual([5, 6]);
    const batched = batch([message(2, { changed_seq: 7 }), message(5, { changed_seq: 8 })]);
    const resumed = run([lost, opened, frame(hello(8, { resumed: true })), batched, sync(8)], start);
    expect(resumed.messages).toEqual([message(5, { changed_seq: 8 }), message(6)]);
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
  const early = run([opened, latest(range(1, 2)), frame(hello(5)), live(6), live(7)]);

  test('a page that reaches them starts over, and puts them in their place', () => {
    expect(seqs(early)).toEqual([1, 2]);
    expect(missing(early)).toBe('history');
    expect(seqs(reduceRoom(early, latest(range(2, 5), true)))).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('they survive a new connection, which resumes where the last one ended', () => {
    const back = run([lost, opened, frame(hello(9, { resumed: true })), batch(range(8, 9)), sync(9)], early);
    expect(back.stream).toMatchObject({ epoch: 'e1', seq: 9, phase: 'live' });
    expect(seqs(reduceRoom(back, latest(range(1, 6))))).toEqual(seqs(inRoom(9)));
  });

  test('a page that does not reach them is requested again', () => {
    const state = reduceRoom(early, latest(range(1, 4)));
    expect(seqs(state)).toEqual([1, 2, 3, 4]);
    expect(missing(state)).toBe('history');
  });

  test('beyond 5 000 they are dropped, and a later page is required', () => {
    const state = run([opened, frame(hello(0)), ...range(1, 5001).map((each) => frame(each))]);
    expect(state.ahead).toEqual([]);
    expect(seqs(run([latest(range(4990, 5000), true), live(5002)], state)).at(-1)).toBe(5000);
    const page = latest(range(4990, 5002), true);
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

  test('a page that was read before opened and does not reach it is requested again', () => {
    const state = run([opened, latest(range(1, 2)), frame(hello(5)), live(6)]);
    expect(missing(state)).toBe('history');
    // It starts over: what is held may have changed in between.
    const anew = reduceRoom(state, latest(range(4, 5), true));
    expect(seqs(anew)).toEqual([4, 5, 6]);
    expect(anew.hasOlder).toBe(true);
  });

  test('an empty room shows its first message', () => {
    const state = run([opened, frame(hello(0)), latest([])]);
    expect(isLive(state)).toBe(true);
    expect(seqs(reduceRoom(state, live(1)))).toEqual([1]);
  });

  test('a page contains everything up to its seq', () => {
    // The last events are not messages, so no message has their numbers.
    const state = run([opened, frame(hello(5)), latest(range(1, 3), false, 5)]);
    expect(missing(state)).toBeNull();
    expect(seqs(reduceRoom(state, live(6)))).toEqual([1, 2, 3, 6]);
  });

  test('a page of another database, while connected: resume', () => {
    // The connection and its server are gone. The page is of the next server, which started from an old backup.
    const state = run([opened, frame(hello(3)), live(4), live(5)]);
    const after = reduceRoom(state, latest(range(1, 3), false, 3, { epoch: 'e2' }));
    expect(missing(after)).toBe('resume');
    expect(seqs(after)).toEqual([]);
    const back = run([lost, opened, frame(hello(3, { epoch: 'e2' }))], after);
    expect(seqs(reduceRoom(back, latest(range(1, 3), false, 3, { epoch: 'e2', resets: 1 })))).toEqual([
      1, 2, 3,
    ]);
  });

  test('a room that was opened twice without a position is live, and reads anew what came in between', () => {
    const twice = run([opened, frame(hello(5)), frame(hello(5)), latest(range(1, 5)), live(6)]);
    expect(seqs(twice)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(isLive(twice)).toBe(true);
    const between = run([opened, frame(hello(5)), latest(range(1, 5)), frame(hello(7)), live(8)]);
    expect(missing(between)).toBe('history');
    const state = reduceRoom(between, latest(range(6, 7), true, 7, { resets: 1 }));
    expect(seqs(state)).toEqual([6, 7, 8]);
    expect(isLive(state)).toBe(true);
  });

  test('after a reset the messages held stay until the page has come', () => {
    const over = run([lost, opened, frame(hello(9)), reset(9)], inRoom(3));
    expect(seqs(over)).toEqual([1, 2, 3]);
    expect(missing(over)).toBe('history');
    const state = run([live(10), latest(range(8, 9), true, 9, { resets: 1 })], over);
    expect(seqs(state)).toEqual([8, 9, 10]);
    expect(isLive(state)).toBe(true);
  });

  test('a page that was requested before a reset is dropped', () => {
    const over = run([lost, opened, frame(hello(9)), reset(9)], inRoom(3));
    expect(reduceRoom(over, latest(range(7, 8), true, 8))).toBe(over);
  });

  test('a page of another database, without a connection: it starts over in that one', () => {
    const page = latest(range(1, 2), false, 2, { epoch: 'e2', connections: 1 });
    const state = run([lost, page], inRoom(5));
    expect(seqs(state)).toEqual([1, 2]);
    expect(state).toMatchObject({ epoch: 'e2', stream: { epoch: 'e2', seq: 2, phase: 'behind' } });
  });

  test('a page of another database, without a connection, from before the last one opened: it is dropped', () => {
    // The connection was to a later database.
    const over = run([opened, frame(hello(0, { epoch: 'e2' })), lost]);
    expect(reduceRoom(over, latest(range(1, 2)))).toBe(over);
  });

  test('in another epoch everything held is dropped', () => {
    const restored = run([lost, opened, frame(hello(2, { epoch: 'e2' }))], inRoom(5));
    expect(restored).toMatchObject({ head: null, messages: [], loaded: false, hasOlder: false });
    const state = run([reset(2, 'e2'), live(3)], restored);
    // A page that was requested in the earlier epoch is dropped.
    expect(reduceRoom(state, latest(range(1, 5)))).toBe(state);
    const there = { epoch: 'e2', resets: 1 };
    const loaded = reduceRoom(state, latest([message(2)], true, 2, there));
    expect(seqs(reduceRoom(loaded, older([message(1, { content: 'of e1' })], 20)))).toEqual([2, 3]);
    expect(seqs(reduceRoom(state, latest(range(1, 2), false, 2, there)))).toEqual([1, 2, 3]);
  });

  test('another epoch that resumes from 0 has its history read', () => {
    const there = hello(2, { epoch: 'e2', resumed: true });
    const state = run([lost, opened, frame(there), batch(range(1, 2)), sync(2), live(3)], inRoom(0));
    expect(missing(state)).toBe('history');
    const page = latest(range(1, 2), false, 2, { epoch: 'e2', resets: 1 });
    expect(seqs(reduceRoom(state, page))).toEqual([1, 2, 3]);
  });
});

describe('8. a page is in the state of its own seq: later events that have arrived since prevail', () => {
  const start = run([opened, frame(hello(6)), latest(range(5, 6), true), { type: 'asked' }]);
  const edit = live(3, { changed_seq: 7, content: 'edited' });

  test('an older message that is changed while its page is on its way', () => {
    const state = run([edit, older(range(3, 4), 50, { seq: 6 })], start);
    expect(state.messages[0]).toMatchObject({ seq: 3, content: 'edited' });
    expect(state.meanwhile).toBeNull();
  });

  test('a page that is later than what has arrived', () => {
    const page = older([message(3, { changed_seq: 8, content: 'later' }), message(4)], 50, { seq: 8 });
    expect(run([edit, page], start).messages[0]).toMatchObject({ content: 'later' });
    expect(run([page, edit], start).messages[0]).toMatchObject({ content: 'later' });
  });

  test('a latest page that comes after live changes', () => {
    const early = run([opened, frame(hello(3)), live(2, { changed_seq: 4, content: 'edited' })]);
    expect(reduceRoom(early, latest(range(1, 3))).messages[1]).toMatchObject({ content: 'edited' });
  });

  test('a page from before a reset is dropped', () => {
    const over = run(
      [lost, opened, frame(hello(9)), reset(9), latest(range(5, 9), true, 9, { resets: 1 })],
      start,
    );
    expect(seqs(reduceRoom(over, older(range(3, 4), 50, { seq: 6 })))).toEqual([5, 6, 7, 8, 9]);
  });
});
