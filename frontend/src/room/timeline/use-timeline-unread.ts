import { useEffect, useState } from 'react';
import { lastSeq, type Room, type RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useReadMarks } from '../../stores/read-marks.ts';
import { showToast } from '../../stores/toasts.ts';
import { unreadCount } from '../../stores/unread-count.ts';

/** What was unread when the room was opened. It does not change until the room is left. */
export type Unread =
  /** Not known yet. The room shows nothing before it is. */
  | { readonly status: 'finding' }
  | { readonly status: 'none' }
  /** The divider stands after the message with this seq. `isSought`: the reader asked to be taken there. */
  | { readonly status: 'divider'; readonly afterSeq: number; readonly isSought: boolean }
  /**
   * There are too many unread messages to open the room at the first one, so it opens at its end. Seeing the end does
   * not mean that they are read: they stay unread until the reader goes there, or marks them as read.
   */
  | { readonly status: 'far'; readonly search: Search };

/** The search for the first unread message. After a failure the reader may continue it from where it stopped. */
type Search = 'unasked' | 'running' | 'failed';

interface TimelineUnread {
  readonly unread: Unread;
  /** Starts or continues the search. */
  readonly seek: () => void;
  /** The reader has come to the message with this seq. The first unread message may be in sight by now. */
  readonly reach: (seq: number) => void;
  /** Marks all of it as read. */
  readonly skip: () => void;
}

/** At most this many messages are loaded before a room opens. */
const MAX_MESSAGES = 1000;

/** Finds the first unread message. */
export function useTimelineUnread(state: RoomState, room: Room): TimelineUnread {
  const [mark] = useState(() => useReadMarks.getState().marks[room.id]);
  const [unread, setUnread] = useState<Unread>({ status: 'finding' });
  const text = useText();
  const isSought = unread.status === 'far' && unread.search === 'running';
  const isLooking = unread.status === 'finding' || isSought;

  useEffect(() => {
    if (!isLooking || !state.loaded) return;
    const found = look(state, mark, isSought);
    if (found !== null) return setUnread(found);
    let isStale = false;
    room.loadOlder().catch((error) => {
      if (isStale) return;
      if (isSought) showToast(explain(text, error));
      setUnread({ status: 'far', search: isSought ? 'failed' : 'unasked' });
    });
    return () => {
      isStale = true;
    };
  }, [isLooking, isSought, state, mark, room, text]);

  const seek = () => setUnread((now) => (now.status === 'far' ? { ...now, search: 'running' } : now));
  const reach = (seq: number) => {
    if (unread.status !== 'far' || mark === undefined || seq > mark + 1) return;
    const found = look(state, mark, false);
    if (found !== null) setUnread(found);
  };
  const skip = () => {
    useReadMarks.getState().markRead(room.id, state.head ?? lastSeq(state));
    setUnread({ status: 'none' });
  };
  // Another tab has marked it as read.
  const isRead = useReadMarks(({ marks }) => unreadCount(lastSeq(state), marks[room.id]) === 0);
  if (unread.status === 'far' && isRead) setUnread({ status: 'none' });
  return { unread, seek, reach, skip };
}

/** Null when the first unread message lies further back than what is loaded. */
function look(state: RoomState, mark: number | undefined, isSought: boolean): Unread | null {
  const { messages, hasOlder, me } = state;
  const count = lastSeq(state) - (mark ?? 0);
  // In a room that was never opened here everything would be new, so nothing is.
  if (mark === undefined || count <= 0) return { status: 'none' };
  const oldest = messages[0]?.seq ?? 0;
  if (oldest > mark + 1 && hasOlder) {
    return count > MAX_MESSAGES && !isSought ? { status: 'far', search: 'unasked' } : null;
  }
  const first = messages.find((message) => message.seq > mark && message.user_id !== me.id);
  return first === undefined ? { status: 'none' } : { status: 'divider', afterSeq: first.seq - 1, isSought };
}
