import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Notice } from '../../../client/index.ts';
import { timelineDays } from './timeline-items.ts';

const NOON = new Date(2026, 0, 15, 12).getTime();
const MINUTE = 60_000;

function message(seq: number, userId: number, at: number): Message {
  return {
    type: 'message',
    id: seq,
    room_id: 1,
    user_id: userId,
    username: `u${userId}`,
    content: `m${seq}`,
    created_at: new Date(at).toISOString(),
    seq,
  };
}

function notice(key: number, kind: Notice['kind'], userId: number, afterSeq: number): Notice {
  return { key, kind, userId, username: `u${userId}`, at: NOON, afterSeq };
}

/** The rows in short: `*` begins a group. */
function sketch(messages: Message[], notices: Notice[] = []): string[][] {
  return timelineDays(messages, notices).map((day) =>
    day.rows.map((row) => {
      if (row.kind === 'message') return `${row.first ? '*' : ''}${row.message.content}`;
      return [...row.joined.map((name) => `+${name}`), ...row.left.map((name) => `-${name}`)].join(' ');
    }),
  );
}

describe('messages of one author within 5 minutes are one group', () => {
  test('counted from the message before', () => {
    const at = [0, 4, 8, 14].map((minutes) => NOON + minutes * MINUTE);
    expect(sketch(at.map((time, i) => message(i + 1, 1, time)))).toEqual([['*m1', 'm2', 'm3', '*m4']]);
  });

  test('another author begins another', () => {
    const messages = [message(1, 1, NOON), message(2, 2, NOON), message(3, 1, NOON)];
    expect(sketch(messages)).toEqual([['*m1', '*m2', '*m3']]);
  });

  test('so does a notice between them, and midnight', () => {
    const midnight = new Date(2026, 0, 16).getTime();
    expect(sketch([message(1, 1, NOON), message(2, 1, NOON)], [notice(1, 'join', 2, 1)])).toEqual([
      ['*m1', '+u2', '*m2'],
    ]);
    expect(sketch([message(1, 1, midnight - MINUTE), message(2, 1, midnight + MINUTE)])).toEqual([
      ['*m1'],
      ['*m2'],
    ]);
  });
});

describe('join and leave notices are folded', () => {
  test('those with no message between them are one line', () => {
    const notices = [notice(1, 'join', 2, 1), notice(2, 'join', 3, 1), notice(3, 'leave', 4, 1)];
    expect(sketch([message(1, 1, NOON)], notices)).toEqual([['*m1', '+u2 +u3 -u4']]);
  });

  test('only where somebody stands in the end is told', () => {
    const notices = [notice(1, 'leave', 2, 0), notice(2, 'join', 2, 0), notice(3, 'leave', 2, 0)];
    expect(sketch([], notices)).toEqual([['-u2']]);
  });
});

test('every message is there once, in order, whatever the notices', () => {
  const notices = fc.array(
    fc.record({
      kind: fc.constantFrom<Notice['kind']>('join', 'leave'),
      userId: fc.nat(5),
      afterSeq: fc.nat(25),
    }),
  );
  fc.assert(
    fc.property(fc.nat(20), notices, (length, drawn) => {
      const messages = Array.from({ length }, (_, i) => message(i + 1, i % 3, NOON + i * 7 * MINUTE));
      const inOrder = drawn
        .toSorted((a, b) => a.afterSeq - b.afterSeq)
        .map((one, i) => notice(i + 1, one.kind, one.userId, one.afterSeq));
      const rows = timelineDays(messages, inOrder).flatMap((day) => day.rows);
      const shown = rows.flatMap((row) => (row.kind === 'message' ? [row.message] : []));
      expect(shown).toEqual(messages);
      expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    }),
  );
});
