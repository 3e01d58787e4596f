import { useEffect, useState } from 'react';
import { lastSeq, type Room, type RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useReadMarks } from '../../stores/read-marks.ts';
import { showToast } from '../../stores/toasts.ts';
import { unreadCount } from '../../stores/unread-count.ts';

/** What was not read when the room was opened. It stays as it was then, until the room is left. */
export type Unread =
  /** Not known yet: the room does not show anything before that. */
  | { readonly status: 'finding' }
  | { readonly status: 'none' }
  /** The line stands after the message with this seq; `isSought`: the reader asked to be shown. */
  | { readonly status: 'line'; readonly afterSeq: number; readonly isSought: boolean }
  /**
   * So much that the room opens at its end. To see the end is not to have read what lies before it: all stays unread until
   * the reader goes there, or says that it is read.
   */
  | { readonly status: 'far'; readonly search: Search };

/** For the first of what is far back. After a failure the reader may have it go on from where it came to. */
type Search = 'unasked' | 'running' | 'failed';

interface TimelineUnread {
  readonly unread: Unread;
  /** Goes on to look for what is far back. */
  readonly seek: () => void;
  /** The reader has come to the message with this seq: what is far back may be in sight by now. */
  readonly reach: (seq: number) => void;
  /** All of it counts as read from now on. */
  readonly skip: () => void;
}

/** No further back than this is loaded before a room opens. */
const MAX_MESSAGES = 1000;

/** Finds the first message that was not read. */
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
  // Another tab has read it.
  const isRead = useReadMarks(({ marks }) => unreadCount(lastSeq(state), marks[room.id]) === 0);
  if (unread.status === 'far' && isRead) setUnread({ status: 'none' });
  return { unread, seek, reach, skip };
}

/** Null when it lies further back than what is loaded. */
function look(state: RoomState, mark: number | undefined, isSought: boolean): Unread | null {
  const { messages, hasOlder, me } = state;
  const count = lastSeq(state) - (mark ?? 0);
  // A room that was never opened here is all new, and so none of it is.
  if (mark === undefined || count <= 0) return { status: 'none' };
  const oldest = messages[0]?.seq ?? 0;
  if (oldest > mark + 1 && hasOlder) {
    return count > MAX_MESSAGES && !isSought ? { status: 'far', search: 'unasked' } : null;
  }
  const first = messages.find((message) => message.seq > mark && message.user_id !== me.id);
  return first === undefined ? { status: 'none' } : { status: 'line', afterSeq: first.seq - 1, isSought };
}
