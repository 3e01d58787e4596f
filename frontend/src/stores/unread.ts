/** How many messages of each room are unread. */
import { useMemo } from 'react';
import type { ListedRoom } from '../../../client/index.ts';
import { unreadOf, useOwnRooms } from './own-rooms.ts';
import { useRoom } from './room.ts';
import { unreadInOpen } from './unread-count.ts';

/** How many messages of a room are unread. */
export function useUnread(roomId: number | null): number {
  const listed = useOwnRooms(({ rooms }) => (roomId === null ? undefined : rooms.get(roomId)));
  return useRoom(({ state }) => {
    if (listed === undefined) return 0;
    return state?.roomId === roomId ? unreadInOpen(state, listed) : (listed.unread ?? 0);
  });
}

/** The unread messages of all rooms. */
export function useTotalUnread(): number {
  const rooms = useOwnRooms((store) => store.rooms);
  const openId = useRoom(({ state }) => state?.roomId ?? null);
  const elsewhere = useMemo(
    () => [...rooms.keys()].reduce((sum, id) => (id === openId ? sum : sum + unreadOf(rooms, id)), 0),
    [rooms, openId],
  );
  return elsewhere + useUnread(openId);
}

/** The unread entries of the inbox: they are counted with their rooms and threads, so reading anywhere clears them. */
export function useInboxUnread(): number {
  return useOwnRooms(({ rooms }) => inboxUnread(rooms));
}

export function inboxUnread(
  rooms: ReadonlyMap<number, Pick<ListedRoom, 'mentions' | 'threadMentions'>>,
): number {
  return [...rooms.values()].reduce(
    (sum, { mentions, threadMentions }) => sum + mentions + (threadMentions?.length ?? 0),
    0,
  );
}
