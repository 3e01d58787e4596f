/** A checker that finds nothing proves nothing, so each rule is tried on a run that breaks it. */
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

/** The report on a run in which these were sent (by default what is stored), acked and received, with this history. */
function reportOf({
  history,
  sent = history,
  acked = [],
  heard = [],
  since,
  isComplete,
  refused,
}: Run): Report {
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
    const report = reportOf({ history: three, acked: acks, heard: three, isComplete: true });
    expect(report).toMatchObject({ acked: 3, stored: 3, recovered: 0, heard: 3 });
    expect(faultsOf(report)).toEqual([]);
  });

  test('stored, but acked as a repeat or not at all, is recovered, not wrong', () => {
    const report = reportOf({ history: three, acked: [ackOf(message(1)), ackOf(message(2), true)] });
    expect(report).toMatchObject({ acked: 2, recovered: 2 });
    expect(faultsOf(report)).toEqual([]);
  });

  test('1: acked, but not stored, or with other numbers, is lost', () => {
    expect(reportOf({ history: three.slice(0, 2), sent: three, acked: acks }).lost).toHaveLength(1);
    for (const change of [{ id: 11 }, { seq: 2 }, { cid: 'c-2' }, { created_at: '2026-01-01' }])
      expect(reportOf({ history: three, acked: [ackOf(message(1, change))] }).lost).toHaveLength(1);
  });

  test('1: received, but not stored, or stored otherwise than received, is lost', () => {
    expect(reportOf({ history: three.slice(0, 2), sent: three, heard: three }).lost).toHaveLength(1);
    const other = [message(1), message(2, { content: 'message 2 ' }), message(3)];
    expect(reportOf({ history: other, sent: three, heard: three }).lost).toHaveLength(1);
  });

  test('1: the end or the beginning is lost when a listener stayed to the end and did not receive it', () => {
    expect(reportOf({ history: three, heard: three.slice(0, 2), isComplete: true }).lost).toHaveLength(1);
    expect(reportOf({ history: three, heard: three.slice(1), since: 0, isComplete: true }).lost).toHaveLength(
      1,
    );
    expect(reportOf({ history: three, heard: three.slice(1), since: 1, isComplete: true }).lost).toEqual([]);
  });

  test('2: stored twice is duplicated', () => {
    const again = message(4, { content: 'message 1' });
    expect(reportOf({ history: [...three, again], sent: three }).duplicated).toHaveLength(1);
  });

  test('2: received twice is duplicated', () => {
    expect(reportOf({ history: three, heard: [...three, message(3)] }).duplicated).toHaveLength(1);
  });

  test('3: what nobody sent is unexpected, as is another author, room or cid', () => {
    expect(reportOf({ history: [message(1)], sent: [] }).unexpected).toHaveLength(1);
    for (const change of [{ user_id: 4 }, { room_id: 8 }, { cid: 'c-2' }]) {
      const history = [message(1, change)];
      expect(reportOf({ history, sent: [message(1)] }).unexpected).toHaveLength(1);
    }
  });

  test('4: a gap in seq, an id or a time that goes back', () => {
    expect(reportOf({ history: [message(1), message(3)] }).outOfOrder).toHaveLength(1);
    expect(reportOf({ history: [message(1), message(2, { id: 5 })] }).outOfOrder).toHaveLength(1);
    const early = message(2, { created_at: '2025-01-01T00:00:00.000Z' });
    expect(reportOf({ history: [message(1), early] }).outOfOrder).toHaveLength(1);
  });

  test('4: a listener that skips one, at the start too, or receives two in the wrong order', () => {
    expect(reportOf({ history: three, heard: [message(1), message(3)] }).outOfOrder).toHaveLength(1);
    expect(reportOf({ history: three, heard: [message(2), message(3)], since: 0 }).outOfOrder).toHaveLength(
      1,
    );
    expect(reportOf({ history: three, heard: [message(2), message(1)] }).outOfOrder).toHaveLength(1);
  });

  test('4: one sender\u2019s messages stored in another order than sent, unless one was refused and sent again', () => {
    const sent = [message(2), message(1), message(3)];
    expect(reportOf({ history: three, sent }).outOfOrder).toHaveLength(1);
    expect(reportOf({ history: three, sent, refused: ['c-2'] }).outOfOrder).toEqual([]);
  });
});
