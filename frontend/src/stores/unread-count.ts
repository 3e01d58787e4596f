import type { RoomState } from '../../../client/index.ts';
import { othersSince } from './others-since.ts';

/**
 * How many messages are unread in the open room. Its own messages tell exactly, if they reach back to the mark;
 * otherwise `listed` does, which is what the list of rooms says.
 */
export function unreadInOpen(
  { messages, me, hasOlder }: Pick<RoomState, 'messages' | 'me' | 'hasOlder'>,
  { readSeq, unread }: { readonly readSeq: number; readonly unread: number | null },
): number {
  const oldest = messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const isHeld = oldest <= readSeq + 1 || (!hasOlder && messages.length > 0);
  return isHeld ? othersSince(messages, readSeq, me.id) : (unread ?? 0);
}
