import { expect, test } from 'vitest';
import { MARKDOWN_CASES, MENTION } from '../../../protocol/testing/markdown-cases.ts';
import type { AudienceRow, MessageRow } from '../../data/storage/store.ts';
import { occasionOf } from './decide.ts';
import { noticeFor } from './notice.ts';

const READER: AudienceRow = {
  ...{ userId: 2, userRole: 'member', username: 'bo', displayName: '', timeZone: null, blocked: [] },
  ...{ settings: '{}', member: null },
};

function messageOf(content: string): MessageRow {
  return {
    ...{ id: 7, roomId: 1, seq: 5, changedSeq: 5, userId: 1, username: 'ann', cid: null, content },
    ...{ createdAt: 0, notice: null },
    facts: {
      ...{ revision: 0, editedAt: null, deletedAt: null, deletedBy: null, pinnedAt: null, threadId: null },
      extra: '{}',
    },
  };
}

test.each([...MARKDOWN_CASES, MENTION])(
  'the table of Markdown: a notification has the words: $text',
  ({ text, words }) => {
    const about = { occasion: occasionOf(messageOf(text), 'public'), roomName: 'general', author: undefined };
    expect(noticeFor(about, 'mention', READER).body).toBe(words);
  },
);

test.each([
  ['', 'ann · ops'],
  ['ann', 'ann · ops'],
  ['boss', 'boss (ann) · ops'],
])('a display name stands beside the username, as it may be that of anybody: %j', (displayName, title) => {
  const author = { ...READER, userId: 1, username: 'ann', displayName };
  const about = { occasion: occasionOf(messageOf('hi'), 'public'), roomName: 'ops', author };
  expect(noticeFor(about, 'mention', READER).title).toBe(title);
});

test('a message with nothing but files has their names, whatever the language, unless its text is hidden', () => {
  const file = (name: string) => ({ key: 'A'.repeat(22), name, type: 'text/plain', size: 1 });
  const message = messageOf('');
  const extra = JSON.stringify({ files: [file('plan.pdf'), file('x'.repeat(300))] });
  const occasion = occasionOf(
    { ...message, facts: { ...message.facts, extra } as typeof message.facts },
    'dm',
  );
  const about = { occasion, roomName: '', author: undefined };
  const { body } = noticeFor(about, 'dm', READER);
  expect(body).toMatch(/^📎 plan\.pdf, x+…$/);
  expect([...body]).toHaveLength(120);
  const hiding = { ...READER, settings: '{"notifications":{"hide_text":true}}' };
  expect(noticeFor(about, 'dm', hiding).body).toBe('');
});
