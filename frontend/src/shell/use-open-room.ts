import { useEffect } from 'react';
import { openRoom } from '../app/open-room.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';

/** Keeps the room of the address open; null: there is none. */
export function useOpenRoom(roomId: number | null): void {
  useEffect(() => {
    if (roomId === null) return;
    void useRooms.getState().ensure(roomId);
    let leave = openRoom(roomId);
    const unsubscribe = useOwnRooms.subscribe(({ rooms }, before) => {
      // Somebody has let the user in again.
      if (!rooms.has(roomId) || before.rooms.has(roomId) || !isRoomGone(useRoom.getState())) return;
      leave();
      leave = openRoom(roomId);
    });
    return () => {
      unsubscribe();
      leave();
    };
  }, [roomId]);
}
