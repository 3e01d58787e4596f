import type { ListedRoom, RoomState } from '../../../client/index.ts';
import { othersSince } from './others-since.ts';

/**
 * How many messages are unread in the open room. Its own messages tell exactly, if they reach back to the mark;
 * otherwise `listed` does, which is what the list of rooms says, up to a hundred. Of more, those that are not held are
 * counted by their numbers, and all as other people's: their authors are not known.
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
