import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Notice, PendingMessage } from '../../../../client/index.ts';
import { type TimelineContent, type TimelineRow, timelineDays } from './timeline-items.ts';

const NOON = new Date(2026, 0, 15, 12).getTime();
const MINUTE = 60_000;
const ME = 9;

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

function pending(cid: string, createdAt: number): PendingMessage {
  return { cid, content: `own ${cid}`, createdAt, status: 'queued', refusal: null };
}

/** The rows in short: `*` marks the first of a group. */
function sketch(
  messages: Message[],
  notices: Notice[] = [],
  more: Partial<TimelineContent> = {},
): string[][] {
  return timelineDays({ me: ME, messages, notices, ...more }).map((day) => day.rows.map(sketchRow));
}

function sketchRow(row: TimelineRow): string {
  switch (row.kind) {
    case 'message':
      return `${row.first ? '*' : ''}${row.message.content}`;
    case 'pending':
      return `${row.first ? '*' : ''}${row.entry.content}`;
    case 'fact':
      return `(${row.notice.kind})`;
    case 'notices':
      return [
        ...row.joined.map((name) => `+${name}`),
        ...row.left.map((name) => `-${name}`),
        ...row.visited.map((name) => `±${name}`),
      ].join(' ');
    case 'new':
      return 'new';
  }
}

test('a notice of the room log stands in its place, and the next message begins a group', () => {
  const by = { user_id: 1, username: 'u1' };
  const joined = { kind: 'joined', by, member: { ...by, role: 'member' } } as const;
  const messages = [
    message(1, 1, NOON),
    { ...message(2, 1, NOON), content: '', notice: joined },
    message(3, 1, NOON),
    message(4, 1, NOON),
  ];
  expect(sketch(messages)).toEqual([['*m1', '(joined)', '*m3', 'm4']]);
});

describe('messages of one author within 5 minutes are one group', () => {
  test('counted from the message before', () => {
    const at = [0, 4, 8, 14].map((minutes) => NOON + minutes * MINUTE);
    expect(sketch(at.map((time, i) => message(i + 1, 1, time)))).toEqual([['*m1', 'm2', 'm3', '*m4']]);
  });

  test('another author begins another group', () => {
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
  test('notices with no message between them are one line', () => {
    const notices = [notice(1, 'join', 2, 1), notice(2, 'join', 3, 1), notice(3, 'leave', 4, 1)];
    expect(sketch([message(1, 1, NOON)], notices)).toEqual([['*m1', '+u2 +u3 -u4']]);
  });

  test('only the result for each person is shown', () => {
    const notices = [notice(1, 'leave', 2, 0), notice(2, 'join', 2, 0), notice(3, 'leave', 2, 0)];
    expect(sketch([], notices)).toEqual([['-u2']]);
  });

  test('leaving and coming back, as with a reload, shows nothing, however often', () => {
    const reload = [notice(1, 'leave', 2, 1), notice(2, 'join', 2, 1)];
    expect(sketch([message(1, 1, NOON)], reload)).toEqual([['*m1']]);
    const storm = [...reload, notice(3, 'join', 3, 1), notice(4, 'leave', 2, 1), notice(5, 'join', 2, 1)];
    expect(sketch([message(1, 1, NOON), message(2, 1, NOON)], storm)).toEqual([['*m1', '+u3', '*m2']]);
  });

  test('joining, leaving and coming back is joining', () => {
    const notices = [notice(1, 'join', 2, 0), notice(2, 'leave', 2, 0), notice(3, 'join', 2, 0)];
    expect(sketch([], notices)).toEqual([['+u2']]);
  });

  test('joining and leaving is both', () => {
    const notices = [notice(1, 'join', 2, 0), notice(2, 'join', 3, 0), notice(3, 'leave', 2, 0)];
    expect(sketch([], notices)).toEqual([['+u3 ±u2']]);
  });

  test('a notice that shows nothing does not break a group', () => {
    const reload = [notice(1, 'leave', 2, 1), notice(2, 'join', 2, 1)];
    expect(sketch([message(1, 1, NOON), message(2, 1, NOON)], reload)).toEqual([['*m1', 'm2']]);
  });

  test('a message between notices keeps them apart', () => {
    const notices = [notice(1, 'leave', 2, 1), notice(2, 'join', 2, 2)];
    expect(sketch([message(1, 1, NOON), message(2, 1, NOON)], notices)).toEqual([
      ['*m1', '-u2', '*m2', '+u2'],
    ]);
  });
});

describe('the "New" divider stands before the first unread message', () => {
  const three = [message(1, 1, NOON), message(2, 1, NOON), message(3, 1, NOON)];

  test('and begins a group', () => {
    expect(sketch(three, [], { newAfterSeq: 1 })).toEqual([['*m1', 'new', '*m2', 'm3']]);
  });

  test('and not before a later one', () => {
    expect(sketch(three.slice(1), [], { before: three[0] ?? null, newAfterSeq: 0 })).toEqual([['m2', 'm3']]);
    expect(sketch(three.slice(1), [], { before: three[0] ?? null, newAfterSeq: 1 })).toEqual([
      ['new', '*m2', 'm3'],
    ]);
  });

  test('and not when everything was read', () => {
    expect(sketch(three, [], { newAfterSeq: 3 })).toEqual([['*m1', 'm2', 'm3']]);
    expect(sketch(three)).toEqual([['*m1', 'm2', 'm3']]);
  });
});

describe('own messages that are being sent stand at the end', () => {
  test('in one group with those before them', () => {
    const rows = sketch([message(1, ME, NOON)], [], { pending: [pending('a', NOON), pending('b', NOON)] });
    expect(rows).toEqual([['*m1', 'own a', 'own b']]);
  });

  test('a slow clock opens no earlier day', () => {
    const rows = sketch([message(1, 1, NOON)], [], { pending: [pending('a', NOON - 24 * 60 * MINUTE)] });
    expect(rows).toEqual([['*m1', '*own a']]);
  });

  test('with the key that they keep once they are stored', () => {
    const keys = (content: Pick<TimelineContent, 'messages' | 'pending'>) =>
      timelineDays({ me: ME, notices: [], ...content }).flatMap((day) => day.rows.map((row) => row.key));
    const stored = { ...message(1, ME, NOON), cid: 'a' };
    expect(keys({ messages: [], pending: [pending('a', NOON)] })).toEqual(keys({ messages: [stored] }));
    // The same cid of another user means nothing.
    expect(keys({ messages: [{ ...message(1, 1, NOON), cid: 'a' }] })).toEqual(['m1']);
  });
});

test('every message is shown once, in order, whatever the notices', () => {
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
      const rows = timelineDays({ me: ME, messages, notices: inOrder }).flatMap((day) => day.rows);
      const shown = rows.flatMap((row) => (row.kind === 'message' ? [row.message] : []));
      expect(shown).toEqual(messages);
      expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    }),
  );
});
