import { describe, expect, test } from 'vitest';
import { message, ROOM } from '../testing/messages.ts';
import {
  ack,
  frame,
  hello,
  inRoom,
  item,
  latest,
  live,
  opened,
  outbox,
  run,
  seqs,
} from '../testing/room-actions.ts';
import { findQuoted } from './quotes.ts';
import { reduceRoom } from './room-reducer.ts';

const answer = (seq: number, to: number) => message(seq, { reply_to: { id: to, user_id: 8 } });

describe('the main flow', () => {
  test('has no replies of threads, and its log goes on over them', () => {
    const thread = { replies: 1, last_seq: 3, last_at: '2026-01-01T00:00:00.000Z', people: [8] };
    const summary = frame({ type: 'thread', room_id: ROOM, id: 10, changed_seq: 4, thread });
    const state = inRoom(2, live(3, { thread_id: 10 }), summary, live(5));
    expect(seqs(state)).toEqual([1, 2, 5]);
    expect(state.messages[0]).toMatchObject({ changed_seq: 4, thread: { replies: 1 } });
    expect(state.stream).toMatchObject({ seq: 5, phase: 'live' });
  });
});

describe('a quoted message', () => {
  const quoting = (...quoted: ReturnType<typeof message>[]) => {
    const page = latest([answer(9, 30)], true);
    if (page.type !== 'latest') throw new Error('no page');
    const flow = { ...page.page, has_more_after: false, quoted };
    return run([opened, frame(hello(9)), { ...page, page: flow }]);
  };

  test('comes with the page that quotes it, and is not among its messages', () => {
    const state = quoting(message(3));
    expect(seqs(state)).toEqual([9]);
    expect(findQuoted(state, 30)?.content).toBe('m3');
    expect(findQuoted(state, 40)).toBeUndefined();
  });

  test('is in its latest state: an edit or a deletion is in every quote at once', () => {
    const state = quoting(message(3));
    const edited = reduceRoom(state, live(3, { changed_seq: 10, content: 'edited' }));
    expect(findQuoted(edited, 30)?.content).toBe('edited');
    const gone = { changed_seq: 11, content: '', deleted_at: '2026-01-01T00:00:00.000Z' };
    const deleted = reduceRoom(edited, live(3, gone));
    expect(findQuoted(deleted, 30)).toMatchObject(gone);
    const late = reduceRoom(deleted, { type: 'quoted', messages: [message(3)] });
    expect(findQuoted(late, 30)).toMatchObject(gone);
  });

  test('that is held is the held one', () => {
    expect(findQuoted(inRoom(3, live(4, { reply_to: { id: 20, user_id: 8 } })), 20)?.content).toBe('m2');
  });

  test('is known of an own answer while that is pending, and once it is acked', () => {
    const pending = inRoom(2, outbox(item('c', { replyTo: 20 })));
    expect(pending.pending[0]?.replyTo).toBe(20);
    const acked = reduceRoom(pending, ack('c', 4));
    expect(acked.acked[0]?.reply_to).toEqual({ id: 20, user_id: 8 });
  });
});
