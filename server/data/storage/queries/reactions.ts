/**
 * Reactions. A row for each person, message and emoji says who reacted; the message keeps a summary of bounded size, so
 * that a page of history reads none of these rows.
 */
import type { Reactions } from '../../../../protocol/events.ts';
import { REACTION_PEOPLE, REACTION_PEOPLE_LISTED, REACTIONS_MAX } from '../../../../protocol/limits.ts';
import { nameOfEmoji } from '../../../../protocol/names.ts';
import { qualifiedEmoji } from '../../../../protocol/qualified-emoji.ts';
import type { MessageChangeReads, MessageChangeWrites, MessageRow } from '../store.ts';
import { findEmoji } from './emoji.ts';
import { beginChange, endChange, storedExtra } from './message-work.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

interface Reaction {
  message: MessageRow;
  emoji: string;
  userId: number;
}

export const reactionWrites: AsSteps<Pick<MessageChangeWrites, 'react'>> = {
  *react({ emoji, on, ...target }) {
    const begun = yield* beginChange(target, () => 'react');
    if ('outcome' in begun) return begun;
    const { work, message, facts, extra } = begun;
    if (facts.deletedAt !== null) return { outcome: 'message_not_found' };
    const name = nameOfEmoji(emoji);
    if (on && name !== null && !(yield* findEmoji(name))) return { outcome: 'emoji_not_found' };
    const before = extra.reactions ?? [];
    const isNew = before.every((reactions) => reactions.emoji !== emoji);
    if (on && isNew && before.length >= REACTIONS_MAX) return { outcome: 'too_many' };
    const reaction = { message, emoji, userId: target.actorId };
    const { taken, reactions } = on
      ? yield* add(before, reaction, work.now)
      : yield* takeBack(before, reaction);
    const [only, ...others] = taken;
    if (only === undefined) return { outcome: 'unchanged', message };
    const stored = storedExtra({ ...extra, reactions: reactions.length === 0 ? undefined : reactions });
    const changed = yield* endChange(begun, { extra: stored });
    // Several emoji changed: announce the whole message, as an event of one reaction names one emoji.
    if (others.length > 0) return changed;
    const count = reactions.find((summary) => summary.emoji === only)?.count ?? 0;
    return {
      ...changed,
      message: { ...changed.message, reaction: { emoji: only, userId: target.actorId, on, count } },
    };
  },
};

export const reactionReads: AsSteps<Pick<MessageChangeReads, 'reactionsOf'>> = {
  *reactionsOf({ roomId, messageId, userId = 0 }) {
    const emojis = yield* all<{ emoji: string; count: number }>(sql`
      SELECT emoji, count(*) AS count FROM reactions WHERE room_id = ${roomId} AND message_id = ${messageId}
      GROUP BY emoji ORDER BY min(created_at), emoji`);
    const rows = [];
    for (const { emoji, count } of emojis) {
      const people = yield* all<{ userId: number; username: string }>(sql`
        SELECT person.id AS "userId", person.username FROM reactions JOIN users AS person ON person.id = reactions.user_id
        WHERE room_id = ${roomId} AND message_id = ${messageId} AND emoji = ${emoji}
        ORDER BY (reactions.user_id = ${userId}) DESC, reactions.created_at, reactions.user_id LIMIT ${REACTION_PEOPLE_LISTED}`);
      rows.push({ emoji, count, people });
    }
    return rows;
  },
};

/** `taken`: the emoji whose rows have changed. */
type Result = { taken: string[]; reactions: Reactions[] };

function* add(before: readonly Reactions[], reaction: Reaction, now: number): Steps<Result> {
  if (!(yield* put(reaction, now))) return { taken: [], reactions: [...before] };
  return { taken: [reaction.emoji], reactions: withPerson(before, reaction) };
}

/** Removes every form of the emoji: rows that are older than the rule of one form may hold another. */
function* takeBack(before: readonly Reactions[], reaction: Reaction): Steps<Result> {
  const result: Result = { taken: [], reactions: [...before] };
  for (const { emoji } of before) {
    const same = { ...reaction, emoji };
    if (qualifiedEmoji(emoji) !== reaction.emoji || !(yield* take(same))) continue;
    result.taken.push(emoji);
    result.reactions = yield* withoutPerson(result.reactions, same);
  }
  return result;
}

/** Whether the row is new. */
function* put({ message, emoji, userId }: Reaction, now: number): Steps<boolean> {
  const row = yield* first(sql`
    INSERT INTO reactions (room_id, message_id, emoji, user_id, created_at)
    VALUES (${message.roomId}, ${message.id}, ${emoji}, ${userId}, ${now})
    ON CONFLICT (room_id, message_id, emoji, user_id) DO NOTHING RETURNING user_id`);
  return row !== undefined;
}

/** Whether the row was there. */
function* take({ message, emoji, userId }: Reaction): Steps<boolean> {
  const row = yield* first(sql`
    DELETE FROM reactions
    WHERE room_id = ${message.roomId} AND message_id = ${message.id} AND emoji = ${emoji} AND user_id = ${userId}
    RETURNING user_id`);
  return row !== undefined;
}

function withPerson(before: readonly Reactions[], { emoji, userId }: Reaction): Reactions[] {
  if (before.every((reactions) => reactions.emoji !== emoji))
    return [...before, { emoji, count: 1, user_ids: [userId] }];
  return before.map((reactions) => {
    if (reactions.emoji !== emoji) return reactions;
    const { count, user_ids: ids } = reactions;
    return { emoji, count: count + 1, user_ids: ids.length < REACTION_PEOPLE ? [...ids, userId] : ids };
  });
}

function* withoutPerson(before: readonly Reactions[], reaction: Reaction): Steps<Reactions[]> {
  const { emoji, userId } = reaction;
  const after: Reactions[] = [];
  for (const reactions of before) {
    if (reactions.emoji !== emoji) after.push(reactions);
    else if (reactions.count > 1) {
      const { count, user_ids: ids } = reactions;
      // Somebody beyond the first ones may take the place.
      const others = ids.includes(userId) ? yield* firstPeople(reaction) : ids;
      after.push({ emoji, count: count - 1, user_ids: others });
    }
  }
  return after;
}

function* firstPeople({ message, emoji }: Reaction): Steps<number[]> {
  const rows = yield* all<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM reactions
    WHERE room_id = ${message.roomId} AND message_id = ${message.id} AND emoji = ${emoji}
    ORDER BY created_at, user_id LIMIT ${REACTION_PEOPLE}`);
  return rows.map(({ userId }) => userId);
}
