/** How many messages of each room are unread on this device. */
import { useMemo } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { useReadMarks } from './read-marks.ts';
import { useRoom } from './room.ts';
import { useRooms } from './rooms.ts';
import { unreadCount, unreadInOpen } from './unread-count.ts';

type ListedRoom = Pick<RoomInfo, 'id' | 'seq'>;

const NO_ROOM: ListedRoom = { id: 0, seq: 0 };

/** How many messages of a room are unread. The open room's own state is ahead of the list. */
export function useUnread({ id, seq }: ListedRoom): number {
  const mark = useReadMarks((store) => store.marks[id]);
  return useRoom(({ state }) =>
    state?.roomId === id ? unreadInOpen(state, seq, mark) : unreadCount(seq, mark),
  );
}

/** The unread messages of all rooms. */
export function useTotalUnread(): number {
  const rooms = useRooms((store) => store.rooms);
  const marks = useReadMarks((store) => store.marks);
  const openId = useRoom(({ state }) => state?.roomId ?? null);
  const open = useMemo(() => rooms.find(({ id }) => id === openId), [rooms, openId]);
  const elsewhere = useMemo(
    () => rooms.reduce((sum, { id, seq }) => (id === openId ? sum : sum + unreadCount(seq, marks[id])), 0),
    [rooms, marks, openId],
  );
  return elsewhere + useUnread(open ?? NO_ROOM);
}
