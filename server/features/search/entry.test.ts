import { expect, test } from 'vitest';
import type { MessageRow, TextFacts } from '../../data/storage/store.ts';
import { entryOf, traitsOf } from './entry.ts';

const FACTS: TextFacts = {
  ...{ revision: 0, editedAt: null, deletedAt: null, deletedBy: null, pinnedAt: null },
  ...{ threadId: null, extra: null },
};

function row(facts: Partial<TextFacts> | null, content = 'a text'): MessageRow {
  return {
    ...{ id: 3, roomId: 1, seq: 1, changedSeq: 1, userId: 2, username: 'ann', cid: null, content },
    ...{ createdAt: 0, notice: null, facts: facts && { ...FACTS, ...facts } },
  };
}

const thread = (replies: number) => ({
  extra: JSON.stringify({
    thread: { replies, last_seq: 9, last_at: '2026-01-01T00:00:00.000Z', people: [] },
  }),
});

test('a reply is in a thread, and a text that has replies; not one whose replies were all deleted', () => {
  const isInThread = (facts: Partial<TextFacts> | null) => traitsOf(row(facts)).isInThread;
  expect([isInThread({ threadId: 1 }), isInThread(thread(1))]).toEqual([true, true]);
  expect([isInThread(thread(0)), isInThread(null)]).toEqual([false, false]);
});

test('a link is a word with a scheme that browsers open', () => {
  const hasLink = (content: string) => traitsOf(row(null, content)).hasLink;
  expect(['see https://example.org', '(HTTP://a)'].map(hasLink)).toEqual([true, true]);
  expect(['xhttps://a', 'https:// a', 'mailto:a@example.org'].map(hasLink)).toEqual([false, false, false]);
});

test('nothing is kept of a deleted text and of a notice', () => {
  expect(entryOf(row({ deletedAt: 1 }))).toEqual({ messageId: 3, indexed: null });
  expect(entryOf({ ...row(null, ''), notice: '{"kind":"joined"}' })).toEqual({ messageId: 3, indexed: null });
});
