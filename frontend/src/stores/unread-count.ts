import type { ListedRoom, RoomState } from '../../../client/index.ts';
import { othersSince } from './others-since.ts';

/**
 * The number of unread messages in the open room. It is counted in the messages that are held, if they go back to the
 * mark. Otherwise it is the count in the list of rooms, which stops at a hundred. Beyond that, the messages that are
 * not held are counted by their numbers, all as other people's, because their authors are unknown.
 */
export function unreadInOpen(
  { messages, me, hasOlder }: Pick<RoomState, 'messages' | 'me' | 'hasOlder'>,
  { readSeq, unread, count }: Pick<ListedRoom, 'readSeq' | 'unread' | 'count'>,
): number {
  const oldest = messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const isHeld = oldest <= readSeq + 1 || (!hasOlder && messages.length > 0);
  const others = othersSince(messages, readSeq, me.id);
  if (isHeld) return others;
  const before = messages.length === 0 ? 0 : oldest - readSeq - 1;
  return count === 'exact' ? (unread ?? 0) : Math.max(unread ?? 0, others + before);
}
