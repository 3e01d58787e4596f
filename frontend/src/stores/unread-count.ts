import { lastSeq, type RoomState } from '../../../client/index.ts';
import { othersSince } from './others-since.ts';

/**
 * Messages after the mark. Anyone may enter any room, so a room matters to a user only after they have opened it here.
 * Until then it has no mark, and nothing in it is unread. `seq` may lag behind the mark: the list is fetched every
 * 10 s.
 */
export function unreadCount(seq: number, mark: number | undefined): number {
  return mark === undefined ? 0 : Math.max(0, seq - mark);
}

/** The same for the open room, which is ahead of the list. Own messages that are held do not count. */
export function unreadInOpen(
  state: Pick<RoomState, 'messages' | 'me'>,
  seq: number,
  mark: number | undefined,
): number {
  if (mark === undefined) return 0;
  const { messages, me } = state;
  return othersSince(messages, mark, me.id) + unreadCount(seq, Math.max(mark, lastSeq(state)));
}
