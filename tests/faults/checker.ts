/**
 * Compares what the clients saw with what the database has afterwards. The rules are numbered so that tests and reports
 * can name them:
 *
 * 1. lost: everything that was acked or received is in the history of its room, in exactly that form; and a listener
 *    that stayed to the end received all of the history.
 * 2. duplicated: no message is stored twice, and no listener receives one twice.
 * 3. unexpected: everything stored was sent, by that user, to that room, with that cid.
 * 4. out of order: in a room's history seq is 1, 2, 3 … without gaps, ids ascend, times do not go back; every
 *    listener receives consecutive seqs; one sender's messages keep the order in which they were sent.
 *
 * A message that is stored although its first ack never arrived is `recovered`: its sender sent it again and got the
 * numbers of the first one, or did not send it again and the history has it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/events.ts';
import type { Acked, Hearing, Journal, Sent } from './journal.ts';

export interface Report {
  /** The number of different messages that were acked. */
  acked: number;
  stored: number;
  recovered: number;
  /** The number of events that all listeners received. */
  heard: number;
  /** One readable line per fault. In a good run all these lists are empty. */
  lost: string[];
  duplicated: string[];
  unexpected: string[];
  outOfOrder: string[];
  violations: string[];
}

/** Checks a run. `histories` holds each room's whole history, oldest first. */
export function check(journal: Journal, histories: ReadonlyMap<number, Message[]>): Report {
  const stored = [...histories.values()].flat();
  const acked = new Map<string, Acked>();
  for (const ack of journal.acked) {
    const key = keyOf(ack.roomId, ack.userId, ack.cid);
    if (!acked.has(key)) acked.set(key, ack);
  }
  const known = stored.filter(({ room_id, user_id, cid = '' }) => {
    return acked.get(keyOf(room_id, user_id, cid))?.isRepeat === false;
  });
  return {
    acked: acked.size,
    stored: stored.length,
    recovered: stored.length - known.length,
    heard: journal.heard,
    lost: [
      ...findLostAcks(journal.acked, stored),
      ...findLost(journal.hearings, stored),
      ...findMissed(journal.hearings, histories),
    ],
    duplicated: [...findStoredTwice(stored), ...findHeardTwice(journal.hearings)],
    unexpected: findUnexpected(journal.sent, histories),
    outOfOrder: [
      ...[...histories.values()].flatMap(findDisorder),
      ...journal.hearings.flatMap(findSkips),
      ...findShuffled(journal, stored),
    ],
    violations: journal.violations,
  };
}

/** Everything that is wrong, in one list. */
export function faultsOf(report: Report): string[] {
  const { lost, duplicated, unexpected, outOfOrder, violations } = report;
  return [...lost, ...duplicated, ...unexpected, ...outOfOrder, ...violations];
}

function keyOf(roomId: number, userId: number, cid: string): string {
  return `${roomId} ${userId} ${cid}`;
}

function findLostAcks(acks: readonly Acked[], stored: readonly Message[]): string[] {
  const byId = new Map(stored.map((message) => [message.id, message]));
  return acks
    .filter(({ roomId, userId, cid, id, seq, createdAt }) => {
      const kept = byId.get(id);
      if (kept?.room_id !== roomId || kept.user_id !== userId || kept.cid !== cid) return true;
      return kept.seq !== seq || kept.created_at !== createdAt;
    })
    .map((ack) => `acked, but not stored like this: ${JSON.stringify(ack)}`);
}

function findLost(hearings: readonly Hearing[], stored: readonly Message[]): string[] {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const seen = new Set<Message>();
  const lost = new Set<string>();
  for (const { messages } of hearings) {
    for (const heard of messages) {
      if (seen.has(heard)) continue;
      seen.add(heard);
      const kept = byId.get(heard.id);
      if (kept === undefined) lost.add(`received, not stored: ${describe(heard)}`);
      else if (!isDeepStrictEqual(kept, heard))
        lost.add(`received ${describe(heard)}, stored ${describe(kept)}`);
    }
  }
  return [...lost];
}

function findMissed(hearings: readonly Hearing[], histories: ReadonlyMap<number, Message[]>): string[] {
  return hearings.flatMap(({ roomId, userId, since, messages, isComplete }) => {
    if (!isComplete) return [];
    const heard = new Set(messages.map(({ id }) => id));
    const history = histories.get(roomId) ?? [];
    return history
      .filter(({ id, seq }) => seq > since && !heard.has(id))
      .map((message) => `never received by user ${userId}: ${describe(message)}`);
  });
}

function findStoredTwice(stored: readonly Message[]): string[] {
  const seen = new Map<string, Message>();
  const twice: string[] = [];
  for (const message of stored) {
    const first = seen.get(message.content);
    if (first === undefined) seen.set(message.content, message);
    else twice.push(`stored twice: ${describe(first)} and ${describe(message)}`);
  }
  return twice;
}

function findHeardTwice(hearings: readonly Hearing[]): string[] {
  return hearings.flatMap(({ userId, messages }) => {
    const heard = new Set<number>();
    return messages
      .filter(({ id }) => heard.size === heard.add(id).size)
      .map((message) => `received twice by user ${userId}: ${describe(message)}`);
  });
}

function findUnexpected(sent: readonly Sent[], histories: ReadonlyMap<number, Message[]>): string[] {
  const byContent = new Map(sent.map((message) => [message.content, message]));
  const unexpected: string[] = [];
  for (const [roomId, messages] of histories) {
    for (const message of messages) {
      const origin = byContent.get(message.content);
      const matches =
        origin?.roomId === roomId &&
        message.room_id === roomId &&
        origin.userId === message.user_id &&
        origin.cid === message.cid;
      if (!matches) unexpected.push(`nobody sent this to room ${roomId}: ${describe(message)}`);
    }
  }
  return unexpected;
}

function findDisorder(history: readonly Message[]): string[] {
  const disorder: string[] = [];
  for (const [index, message] of history.entries()) {
    const before = history[index - 1];
    if (message.seq !== index + 1) disorder.push(`number ${index + 1} of its room: ${describe(message)}`);
    if (before === undefined) continue;
    if (message.id <= before.id || message.created_at < before.created_at) {
      disorder.push(`${describe(message)} after ${describe(before)}`);
    }
  }
  return disorder;
}

function findSkips({ userId, since, messages }: Hearing): string[] {
  return messages
    .filter((message, index) => message.seq !== (messages[index - 1]?.seq ?? since) + 1)
    .map((message) => `user ${userId} received a jump to ${describe(message)}`);
}

function findShuffled({ sent, refused }: Journal, stored: readonly Message[]): string[] {
  const place = new Map(sent.map((message, index) => [message.content, index]));
  const latest = new Map<string, number>();
  const shuffled: string[] = [];
  for (const message of stored) {
    if (message.cid !== undefined && refused.has(message.cid)) continue;
    const key = `${message.room_id} ${message.user_id}`;
    const index = place.get(message.content) ?? 0;
    if (index < (latest.get(key) ?? -1))
      shuffled.push(`stored after messages that were sent later: ${describe(message)}`);
    latest.set(key, index);
  }
  return shuffled;
}

function describe({ id, room_id, seq, user_id, content }: Message): string {
  return `#${id} (room ${room_id}, seq ${seq}, user ${user_id}, ${JSON.stringify(content)})`;
}
