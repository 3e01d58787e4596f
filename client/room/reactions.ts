/** Applies reactions to messages. Pure functions. */
import type { Message, Reactions } from '../../protocol/events.ts';
import { REACTION_PEOPLE } from '../../protocol/limits.ts';
import type { Frame } from '../connection/frames.ts';

export type Reaction = Frame<'reaction'>;

/** The message after the reaction. */
export function reacted(message: Message, { emoji, user_id, on, count, changed_seq }: Reaction): Message {
  const { reactions = [], ...rest } = message;
  const next = withPerson(reactions, emoji, user_id, on).flatMap((one) => {
    if (one.emoji !== emoji) return [one];
    return count === 0 ? [] : [{ ...one, count }];
  });
  return { ...rest, ...(next.length > 0 && { reactions: next }), changed_seq };
}

/**
 * The reactions after this person has reacted with the emoji, or has taken that back. Counts change by one. Where more
 * have reacted than are listed, taking back is believed of those who are not.
 */
export function withPerson(
  reactions: readonly Reactions[],
  emoji: string,
  userId: number,
  on: boolean,
): Reactions[] {
  const there = reactions.find((one) => one.emoji === emoji);
  if (there === undefined)
    return on ? [...reactions, { emoji, count: 1, user_ids: [userId] }] : [...reactions];
  const isListed = there.user_ids.includes(userId);
  if (on ? isListed : !isListed && !hasMore(there)) return [...reactions];
  const user_ids = on
    ? [...there.user_ids, userId].slice(0, REACTION_PEOPLE)
    : there.user_ids.filter((id) => id !== userId);
  const count = there.count + (on ? 1 : -1);
  return reactions.flatMap((one) => {
    if (one !== there) return [one];
    return count <= 0 ? [] : [{ emoji, count, user_ids }];
  });
}

/** Whether more people have reacted than are listed. */
export function hasMore({ count, user_ids }: Reactions): boolean {
  return count > user_ids.length;
}
