import { useEffect, useState } from 'react';
import { lastSeq, type Room, type RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { endOf } from '../../stores/end-of.ts';
import { markRead, useOwnRooms } from '../../stores/own-rooms.ts';
import { showToast } from '../../stores/toasts.ts';

/** What was unread when the room was opened. It does not change until the room is left. */
export type Unread =
  /** Not known yet. The room shows nothing before it is. */
  | { readonly status: 'finding' }
  /** The list of rooms is slow, so the room has opened at its end. Seeing the end does not mean that all is read. */
  | { readonly status: 'late' }
  | { readonly status: 'none' }
  /** The divider stands after the message with this seq. `isSought`: the reader asked to be taken there. */
  | { readonly status: 'divider'; readonly afterSeq: number; readonly isSought: boolean }
  /**
   * The room has opened at its end, as there are too many unread messages to open it at the first one, or as the list
   * of rooms was slow. Seeing the end does not mean that they are read: they stay unread until the reader goes there,
   * or marks them as read.
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

/** A loaded room waits this long for the list of rooms. */
const PATIENCE_MS = 1000;
/** At most this many messages are loaded before a room opens. */
const MAX_MESSAGES = 1000;

/** Finds the first unread message. */
export function useTimelineUnread(state: RoomState, room: Room): TimelineUnread {
  const { mark: atOpening, isLate } = useMarkAtOpening(state);
  const [unread, setUnread] = useState<Unread>({ status: 'finding' });
  const { hasWritten, readTo } = useWritten(state, room, unread.status === 'finding');
  const mark = typeof atOpening === 'number' ? Math.max(atOpening, readTo) : atOpening;
  const text = useText();
  const isSought = unread.status === 'far' && unread.search === 'running';
  const isOpenedLate = unread.status === 'late';
  const isLooking = unread.status === 'finding' || isOpenedLate || isSought;

  useEffect(() => {
    if (!isLooking || !state.loaded) return;
    if (mark === undefined) {
      if ((isLate || hasWritten) && !isOpenedLate) setUnread({ status: 'late' });
      return;
    }
    const found = look(state, mark, isSought);
    // A reader who is in the room already is not moved.
    if (isOpenedLate || (hasWritten && !isSought))
      return setUnread(found?.status === 'none' ? found : { status: 'far', search: 'unasked' });
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
  }, [isLooking, isSought, isOpenedLate, isLate, hasWritten, state, mark, room, text]);

  const seek = () => setUnread((now) => (now.status === 'far' ? { ...now, search: 'running' } : now));
  const reach = (seq: number) => {
    if (unread.status !== 'far' || typeof mark !== 'number' || seq > mark + 1) return;
    const found = look(state, mark, false);
    if (found !== null) setUnread(found);
  };
  const skip = () => {
    markRead(room.id, endOf(state));
    setUnread({ status: 'none' });
  };
  // Another tab or device has marked it as read.
  const isRead = useOwnRooms(({ rooms }) => (rooms.get(room.id)?.readSeq ?? 0) >= lastSeq(state));
  if (unread.status === 'far' && isRead) setUnread({ status: 'none' });
  return { unread, seek, reach, skip };
}

/**
 * What the reader has written before the room was loaded. They are at the end of what was last seen then, and have read
 * it. Words of an earlier visit that still wait count, too: the room opens where they are.
 */
function useWritten(state: RoomState, room: Room, isFinding: boolean) {
  const [readTo, setReadTo] = useState(0);
  const [hasWritten, setWritten] = useState(false);
  if (isFinding && !hasWritten && state.pending.some(({ status }) => status !== 'failed')) setWritten(true);
  useEffect(() => {
    if (!isFinding) return;
    return room.on('sending', () => {
      const end = endOf(room.state);
      setReadTo(end);
      markRead(room.id, end);
    });
  }, [room, isFinding]);
  return { hasWritten, readTo };
}

interface MarkAtOpening {
  /** Null for a room that the user is no member of. Undefined while it is not known yet. */
  readonly mark: number | null | undefined;
  /** The room is not to wait for the mark any longer. */
  readonly isLate: boolean;
}

/** How far the user had read when the room was opened. */
function useMarkAtOpening({ roomId, connection, loaded }: RoomState): MarkAtOpening {
  const [mark, setMark] = useState<number | null>();
  const [isLate, setLate] = useState(false);
  const now = useOwnRooms(({ rooms }) => rooms.get(roomId)?.readSeq ?? null);
  // Until the list is current, it may have no such room yet, or another device may have read on meanwhile.
  const isCurrent = useOwnRooms((store) => store.isCurrent);
  // Without a connection, the list of the last visit is the best there is.
  const isLastSeen = now !== null && connection.status === 'waiting';
  const known = isCurrent || isLastSeen ? now : undefined;
  useEffect(() => {
    if (!loaded) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loaded]);
  if (mark === undefined && known !== undefined) setMark(known);
  return { mark: mark === undefined ? known : mark, isLate };
}

/** Null when the first unread message lies further back than what is loaded. */
function look(state: RoomState, mark: number | null, isSought: boolean): Unread | null {
  const { messages, hasOlder, me } = state;
  const count = lastSeq(state) - (mark ?? 0);
  // To a user who is not a member everything would be new, so nothing is marked.
  if (mark === null || count <= 0) return { status: 'none' };
  const oldest = messages[0]?.seq ?? 0;
  if (oldest > mark + 1 && hasOlder) {
    return count > MAX_MESSAGES && !isSought ? { status: 'far', search: 'unasked' } : null;
  }
  const first = messages.find(
    ({ seq, user_id, notice }) => seq > mark && user_id !== me.id && notice === undefined,
  );
  return first === undefined ? { status: 'none' } : { status: 'divider', afterSeq: first.seq - 1, isSought };
}
