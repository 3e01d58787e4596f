import { useEffect, useState } from 'react';
import { lastSeq, type Room, type RoomState } from '../../../client/index.ts';
import { useReadMarks } from '../stores/read-marks.ts';

/** What was not read when the room was opened. It stays as it was then, until the room is left. */
export type Unread =
  /** Not known yet: the room does not show anything before that. */
  | { readonly status: 'finding' }
  | { readonly status: 'none' }
  /** The line stands after the message with this seq; `isSought`: the reader asked to be shown. */
  | { readonly status: 'line'; readonly afterSeq: number; readonly isSought: boolean }
  /** So much that the room opens at its end. */
  | { readonly status: 'far'; readonly count: number; readonly isSeeking: boolean };

/** No further back than this is loaded before a room opens. */
const MAX_MESSAGES = 1000;

/** Finds the first message that was not read; `seek` goes on to look for one that is far back. */
export function useTimelineUnread(state: RoomState, room: Room): { unread: Unread; seek: () => void } {
  const [mark] = useState(() => useReadMarks.getState().marks[room.id]);
  const [unread, setUnread] = useState<Unread>({ status: 'finding' });
  const isSought = unread.status === 'far' && unread.isSeeking;
  const isLooking = unread.status === 'finding' || isSought;

  useEffect(() => {
    if (!isLooking || !state.loaded) return;
    const found = look(state, mark, isSought);
    if (found !== null) return setUnread(found);
    let isStale = false;
    room.loadOlder().catch(() => {
      if (!isStale) setUnread({ status: 'far', count: lastSeq(state) - (mark ?? 0), isSeeking: false });
    });
    return () => {
      isStale = true;
    };
  }, [isLooking, isSought, state, mark, room]);

  const seek = () => setUnread((now) => (now.status === 'far' ? { ...now, isSeeking: true } : now));
  return { unread, seek };
}

/** Null when it lies further back than what is loaded. */
function look(state: RoomState, mark: number | undefined, isSought: boolean): Unread | null {
  const { messages, hasOlder, me } = state;
  const count = lastSeq(state) - (mark ?? 0);
  // A room that was never opened here is all new, and so none of it is.
  if (mark === undefined || count <= 0) return { status: 'none' };
  const oldest = messages[0]?.seq ?? 0;
  if (oldest > mark + 1 && hasOlder) {
    return count > MAX_MESSAGES && !isSought ? { status: 'far', count, isSeeking: false } : null;
  }
  const first = messages.find((message) => message.seq > mark && message.user_id !== me.id);
  return first === undefined ? { status: 'none' } : { status: 'line', afterSeq: first.seq - 1, isSought };
}
