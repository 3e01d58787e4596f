/** What all changes of messages have in common: the message as it was found, and the number that the change takes. */
import type { MessageExtra } from '../../../../protocol/events.ts';
import { extraOf } from '../../../rules/message.ts';
import type { Action } from '../../../rules/room-access.ts';
import type { MessageChange, MessageRow, MessageTarget, TextFacts } from '../store.ts';
import { findMessage, PLAIN, type TextChange, updateMessage } from './message-rows.ts';
import { putSeq } from './room-rows.ts';
import { beginWork, type RoomWork, refusal } from './room-work.ts';
import { sql } from './sql.ts';
import { first, type Steps } from './steps.ts';

/** A change under way of a text that is there. */
export interface MessageWork {
  work: RoomWork;
  message: MessageRow;
  facts: TextFacts;
  extra: MessageExtra;
}

type Refusal = Exclude<MessageChange, { message: MessageRow }>;

/** What a person who is blocked in a direct conversation may not do there: the other one would notice it. */
const REACHES_OTHERS: ReadonlySet<Action> = new Set(['post', 'edit_own_text', 'react', 'pin']);

/** Reads what a change by this actor depends on. `actionOn`: what the actor does, which may depend on the message. */
export function* beginChange(
  target: MessageTarget,
  actionOn: (message: MessageRow) => Action,
): Steps<MessageWork | Refusal> {
  const work = yield* beginWork(target);
  if ('outcome' in work) return asRefusal(work.outcome);
  const hidden = refusal(work, 'see') ?? refusal(work, 'read');
  if (hidden) return asRefusal(hidden.outcome);
  const message = yield* findMessage(target);
  if (!message || message.notice !== null) return { outcome: 'message_not_found' };
  const action = actionOn(message);
  const refused = refusal(work, action);
  if (refused) return asRefusal(refused.outcome);
  if (REACHES_OTHERS.has(action) && (yield* isBlocked(work))) return { outcome: 'not_delivered' };
  const facts = message.facts ?? PLAIN;
  return { work, message, facts, extra: extraOf(facts) };
}

/** Whether the other person of a direct conversation has blocked the author. */
export function* isBlocked({ room, by }: RoomWork): Steps<boolean> {
  return room.kind === 'dm' && (yield* isBlockedIn({ roomId: room.id, userId: by.id }));
}

/** Whether the other person of this direct conversation has blocked the user. */
export function* isBlockedIn({ roomId, userId }: { roomId: number; userId: number }): Steps<boolean> {
  const block = yield* first(sql`
    SELECT 1 FROM rooms JOIN members AS other ON other.room_id = rooms.id
      JOIN blocks AS block ON block.user_id = other.user_id
    WHERE rooms.id = ${roomId} AND rooms.kind = 'dm' AND rooms.members = 2
      AND block.blocked_id = ${userId} AND block.removed = 0`);
  return block !== undefined;
}

/** As stored: NULL when there is nothing in it. Absent fields take no room. */
export function storedExtra(extra: MessageExtra): string | null {
  const json = JSON.stringify(extra);
  return json === '{}' ? null : json;
}

/** Writes a change and the next number of the room, and returns the message as it is then. */
export function* endChange(
  { work, message }: { work: Pick<RoomWork, 'room'>; message: MessageRow },
  change: TextChange,
): Steps<MessageChange & { message: MessageRow }> {
  const changed = yield* takeNumber(work, message, change);
  yield* putSeq(work.room);
  return { outcome: 'changed', message: changed };
}

/**
 * Writes a change of the message, and gives it the room's next number. The room's own row is still to be written.
 */
export function* takeNumber(
  work: Pick<RoomWork, 'room'>,
  message: MessageRow,
  change: TextChange,
): Steps<MessageRow> {
  const changedSeq = work.room.seq + 1;
  const changed = yield* updateMessage(message, changedSeq, change);
  work.room.seq = changedSeq;
  return changed;
}

/** The room has no other reason to refuse the change of a message than access. */
function asRefusal(outcome: string): Refusal {
  if (outcome === 'room_not_found' || outcome === 'not_allowed' || outcome === 'user_not_found')
    return { outcome };
  throw new Error(`a change of a message was refused with ${outcome}`);
}
