import { useMemo, useRef } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { useDrafts } from '../stores/drafts.ts';
import { useReadMarks } from '../stores/read-marks.ts';
import { useRooms } from '../stores/rooms.ts';
import { useUnread } from '../stores/unread.ts';
import { unreadCount } from '../stores/unread-count.ts';
import type { RoomEntry } from './room-entry.ts';

const NONE: Pick<RoomInfo, 'id' | 'seq'> = { id: 0, seq: 0 };

/** The rooms as the list shows them. An entry that did not change is the same object, so its row renders nothing. */
export function useRoomEntries(openId: number | null): readonly RoomEntry[] {
  const rooms = useRooms((store) => store.rooms);
  const marks = useReadMarks((store) => store.marks);
  const drafts = useDrafts((store) => store.roomIds);
  const open = useMemo(() => rooms.find(({ id }) => id === openId), [rooms, openId]);
  // The open room's own state is ahead of the list.
  const openUnread = useUnread(open ?? NONE);
  const known = useRef<ReadonlyMap<number, RoomEntry>>(new Map());
  return useMemo(() => {
    const entries = rooms.map(({ id, name, seq }): RoomEntry => {
      const unread = id === openId ? openUnread : unreadCount(seq, marks[id]);
      const hasDraft = drafts.has(id);
      const before = known.current.get(id);
      const isSame = before?.name === name && before.unread === unread && before.hasDraft === hasDraft;
      if (isSame) return before;
      return { ...PLAIN, id, name, unread, hasDraft };
    });
    known.current = new Map(entries.map((entry) => [entry.id, entry]));
    return entries;
  }, [rooms, marks, drafts, openId, openUnread]);
}

/** What the list of `GET /rooms` does not tell. */
const PLAIN = {
  kind: 'public',
  emoji: null,
  person: null,
  online: false,
  mentions: 0,
  isMuted: false,
  starred: false,
  last: null,
} as const;
