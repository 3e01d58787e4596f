import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import type { ThreadPage } from '../../protocol/rest/threads.ts';
import { message } from '../testing/messages.ts';
import type { LogNews } from './room-listeners.ts';
import { follows, loadedThread, withMessage, withNews, withOlder } from './thread-state.ts';

const ROOT = message(1);
const reply = (seq: number, change: Partial<Message> = {}) => message(seq, { thread_id: ROOT.id, ...change });

const page = (messages: Message[], seq: number, change: Partial<ThreadPage> = {}): ThreadPage => ({
  ...{ root: ROOT, messages, has_more: false, has_more_after: false, epoch: 'e1', seq },
  me: { following: false, read_seq: 0 },
  ...change,
});
const news = (state: Message, change: Partial<LogNews> = {}): LogNews => {
  const upTo = state.changed_seq ?? state.seq;
  return { after: upTo - 1, upTo, states: [state], delta: null, ...change };
};
const thread = (replies: number, last: number) => ({
  ...{ replies, last_seq: last, last_at: ROOT.created_at, people: [8] },
});
const seqs = ({ messages }: { messages: readonly Message[] }) => messages.map(({ seq }) => seq);

describe('a thread', () => {
  test('has its page and what the log brings of it; of the rest of the room only the number', () => {
    const loaded = loadedThread(page([reply(2), reply(4)], 5), []);
    const state = [news(reply(6)), news(message(7)), news(reply(8, { thread_id: 99 }))].reduce(
      withNews,
      loaded,
    );
    expect(seqs(state)).toEqual([2, 4, 6]);
    expect(state.seq).toBe(8);
  });

  test('has each reply and its root in the latest state, whatever comes first', () => {
    const edited = reply(2, { changed_seq: 6, content: 'edited' });
    const loaded = loadedThread(page([edited], 6), [news(reply(2, { changed_seq: 5, content: 'earlier' }))]);
    expect(loaded.messages[0]?.content).toBe('edited');
    const delta = { type: 'thread', room_id: 1, id: ROOT.id, changed_seq: 7, thread: thread(1, 2) } as const;
    const state = withNews(loaded, { after: 6, upTo: 7, states: [], delta });
    expect(state.root).toMatchObject({ changed_seq: 7, thread: { replies: 1 } });
  });

  test('notices that something is missing', () => {
    const state = loadedThread(page([reply(2)], 3), []);
    expect(follows(state, news(reply(4)))).toBe(true);
    expect(follows(state, news(reply(6)))).toBe(false);
  });

  test('takes nothing from before its first reply but by a page', () => {
    const state = loadedThread(page([reply(6)], 6, { has_more: true }), []);
    expect(seqs(withMessage(state, reply(4, { changed_seq: 7 })))).toEqual([6]);
    const grown = withOlder(state, page([reply(2), reply(4)], 6), 60, []);
    expect([seqs(grown), grown.hasOlder]).toEqual([[2, 4, 6], false]);
    expect(withOlder(grown, page([], 6), 60, [])).toBe(grown);
  });

  test('has earlier replies with what the log has brought while their page was on its way', () => {
    const edited = news(reply(2, { changed_seq: 7, content: 'edited' }));
    const state = withNews(loadedThread(page([reply(6)], 6, { has_more: true }), []), edited);
    const grown = withOlder(state, page([reply(2), reply(4)], 6), 60, [edited]);
    expect(grown.messages.map(({ content }) => content)).toEqual(['edited', 'm4', 'm6']);
    // The log went on between the page and what was heard.
    expect(withOlder(state, page([reply(2), reply(4)], 5), 60, [edited])).toBe(state);
  });

  test('ends in the state of the log, wherever its page was read', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 40 }), fc.nat(40), (steps, readAt) => {
        let replies: Message[] = [];
        let seq = 1;
        const log: LogNews[] = [];
        let read = page([], 1);
        for (const [index, step] of steps.entries()) {
          if (index === readAt) read = page([...replies], seq);
          seq += 1;
          const held = replies[step];
          const next = held ? { ...held, changed_seq: seq, content: `edited ${seq}` } : reply(seq);
          replies = held ? replies.map((other) => (other === held ? next : other)) : [...replies, next];
          log.push(news(next));
        }
        const state = loadedThread(read, log);
        expect(state.messages).toEqual(replies);
        expect(log.reduce(withNews, state)).toEqual(state);
      }),
    );
  });
});
