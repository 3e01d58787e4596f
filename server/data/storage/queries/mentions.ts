/**
 * Whom a text mentions, decided in the transaction that stores it: names become ids, and a room may be too large to
 * call.
 */
import type { MessageExtra } from '../../../../protocol/events.ts';
import { resolveNames } from '../../../../protocol/mentions.ts';
import type { MentionsOf } from '../store.ts';
import { type RoomWork, refusal } from './room-work.ts';
import { list, sql } from './sql.ts';
import { shareRoom } from './standing.ts';
import { all, type Steps } from './steps.ts';

/** The fields of a text with these mentions. A field that is undefined is not in the JSON. */
export function* mentionsIn(
  work: RoomWork,
  mentions: MentionsOf | undefined,
): Steps<Pick<MessageExtra, 'mentions' | 'mention_room'>> {
  if (mentions === undefined) return { mentions: undefined, mention_room: undefined };
  const userIds = yield* mentionedUsers(work, mentions);
  const mayCall = mentions.room !== null && refusal(work, 'mention_room') === undefined;
  return {
    mentions: userIds.length === 0 ? undefined : userIds,
    mention_room: (mayCall && mentions.room) || undefined,
  };
}

/** In the order of the text. A name that nobody has, or nobody whom the author may see, mentions nobody. */
function* mentionedUsers({ by, userRole }: RoomWork, { names }: MentionsOf): Steps<number[]> {
  const keys = [...new Set(names.flat())];
  if (keys.length === 0) return [];
  const isSeen = userRole === 'guest' ? shareRoom(by.id, sql`users.id`) : sql`true`;
  const users = yield* all<{ id: number; key: string }>(sql`
    SELECT id, username_key AS key FROM users WHERE username_key IN (${list(keys)}) AND ${isSeen}`);
  return resolveNames(names, new Map(users.map(({ id, key }) => [key, id])));
}
