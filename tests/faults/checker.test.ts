/** A checker that finds nothing proves nothing: each rule is shown a run that breaks it. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { check, faultsOf, type Report } from './checker.ts';
import { type Acked, Journal } from './journal.ts';

const ROOM = 7;
const USER = 3;

function message(seq: number, change: Partial<Message> = {}): Message {
  return {
    type: 'message',
    id: seq * 10,
    room_id: ROOM,
    user_id: USER,
    username: 'ann',
    content: `message ${seq}`,
    created_at: `2026-01-01T00:00:0${seq}.000Z`,
    seq,
    cid: `c-${seq}`,
    ...change,
  };
}

function ackOf({ id, seq, created_at, cid = '' }: Message, isRepeat = false): Acked {
  return { roomId: ROOM, userId: USER, cid, id, seq, createdAt: created_at, isRepeat, at: 0 };
}

interface Run {
  sent?: Message[];
  acked?: Acked[];
  heard?: Message[];
  since?: number;
  isComplete?: boolean;
  refused?: string[];
  history: Message[];
}

/** A run in which these were sent (by default what is stored), acked and heard, with this history. */
function judge({ history, sent = history, acked = [], heard = [], since, isComplete, refused }: Run): Report {
  const journal = new Journal();
  for (const { content, cid = '' } of sent) journal.sent.push({ roomId: ROOM, userId: USER, cid, content });
  journal.acked.push(...acked);
  for (const cid of refused ?? []) journal.refused.add(cid);
  const hearing = journal.listen(ROOM, USER, since ?? (heard[0]?.seq ?? 1) - 1);
  for (const one of heard) journal.hear(hearing, one);
  hearing.isComplete = isComplete ?? false;
  return check(journal, new Map([[ROOM, history]]));
}

const three = [message(1), message(2), message(3)];
const acks = three.map((one) => ackOf(one));

describe('the checker', () => {
  test('a good run has nothing to report', () => {
    const report = judge({ history: three, acked: acks, heard: three, isComplete: true });
    expect(report).toMatchObject({ acked: 3, stored: 3, recovered: 0, heard: 3 });
    expect(faultsOf(report)).toEqual([]);
  });

  test('stored, but acked as a repeat or not at all, is recovered, not wrong', () => {
    const report = judge({ history: three, acked: [ackOf(message(1)), ackOf(message(2), true)] });
    expect(report).toMatchObject({ acked: 2, recovered: 2 });
    expect(faultsOf(report)).toEqual([]);
  });

  test('1: acked, but not stored, or with other numbers, is lost', () => {
    expect(judge({ history: three.slice(0, 2), sent: three, acked: acks }).lost).toHaveLength(1);
    for (const change of [{ id: 11 }, { seq: 2 }, { cid: 'c-2' }, { created_at: '2026-01-01' }])
      expect(judge({ history: three, acked: [ackOf(message(1, change))] }).lost).toHaveLength(1);
  });

  test('1: heard, but not stored, or otherwise than heard, is lost', () => {
    expect(judge({ history: three.slice(0, 2), sent: three, heard: three }).lost).toHaveLength(1);
    const other = [message(1), message(2, { content: 'message 2 ' }), message(3)];
    expect(judge({ history: other, sent: three, heard: three }).lost).toHaveLength(1);
  });

  test('1: who listened to the end and has not heard the end, or the beginning, has lost it', () => {
    expect(judge({ history: three, heard: three.slice(0, 2), isComplete: true }).lost).toHaveLength(1);
    expect(judge({ history: three, heard: three.slice(1), since: 0, isComplete: true }).lost).toHaveLength(1);
    expect(judge({ history: three, heard: three.slice(1), since: 1, isComplete: true }).lost).toEqual([]);
  });

  test('2: stored twice is duplicated', () => {
    const again = message(4, { content: 'message 1' });
    expect(judge({ history: [...three, again], sent: three }).duplicated).toHaveLength(1);
  });

  test('2: heard twice is duplicated', () => {
    expect(judge({ history: three, heard: [...three, message(3)] }).duplicated).toHaveLength(1);
  });

  test('3: what nobody sent is unexpected, as is another author, room or cid', () => {
    expect(judge({ history: [message(1)], sent: [] }).unexpected).toHaveLength(1);
    for (const change of [{ user_id: 4 }, { room_id: 8 }, { cid: 'c-2' }]) {
      const history = [message(1, change)];
      expect(judge({ history, sent: [message(1)] }).unexpected).toHaveLength(1);
    }
  });

  test('4: a gap in seq, an id or a time that goes back', () => {
    expect(judge({ history: [message(1), message(3)] }).outOfOrder).toHaveLength(1);
    expect(judge({ history: [message(1), message(2, { id: 5 })] }).outOfOrder).toHaveLength(1);
    const early = message(2, { created_at: '2025-01-01T00:00:00.000Z' });
    expect(judge({ history: [message(1), early] }).outOfOrder).toHaveLength(1);
  });

  test('4: a listener that skips one, at the start too, or hears two the wrong way round', () => {
    expect(judge({ history: three, heard: [message(1), message(3)] }).outOfOrder).toHaveLength(1);
    expect(judge({ history: three, heard: [message(2), message(3)], since: 0 }).outOfOrder).toHaveLength(1);
    expect(judge({ history: three, heard: [message(2), message(1)] }).outOfOrder).toHaveLength(1);
  });

  test('4: one sender\u2019s messages stored in another order than sent, unless one was refused and sent again', () => {
    const sent = [message(2), message(1), message(3)];
    expect(judge({ history: three, sent }).outOfOrder).toHaveLength(1);
    expect(judge({ history: three, sent, refused: ['c-2'] }).outOfOrder).toEqual([]);
  });
});
