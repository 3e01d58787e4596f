/** What was said in each room since it was read on this device. */
import { useMemo } from 'react';
import { lastSeq, type RoomInfo } from '../../../client/index.ts';
import { useReadMarks } from './read-marks.ts';
import { useRoom } from './room.ts';
import { useRooms } from './rooms.ts';
import { unreadCount } from './unread-count.ts';

/** How many messages of a room are unread; the open room's line is ahead of the list. */
export function useUnread({ id, seq }: Pick<RoomInfo, 'id' | 'seq'>): number {
  const mark = useReadMarks((store) => store.marks[id]);
  const liveSeq = useRoom(({ state }) => (state?.roomId === id ? lastSeq(state) : 0));
  return unreadCount(Math.max(seq, liveSeq), mark);
}

/** The unread messages of all rooms. */
export function useTotalUnread(): number {
  const rooms = useRooms((store) => store.rooms);
  const marks = useReadMarks((store) => store.marks);
  const openId = useRoom(({ state }) => state?.roomId ?? null);
  const liveSeq = useRoom(({ state }) => (state === null ? 0 : lastSeq(state)));
  return useMemo(
    () =>
      rooms.reduce((sum, { id, seq }) => {
        return sum + unreadCount(id === openId ? Math.max(seq, liveSeq) : seq, marks[id]);
      }, 0),
    [rooms, marks, openId, liveSeq],
  );
}
