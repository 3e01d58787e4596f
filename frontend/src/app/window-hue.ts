import { useLayoutEffect } from 'react';
import { useRooms } from '../stores/rooms.ts';
import { HALL_HUE, roomHue } from '../ui/hue.ts';
import { washWindow } from '../ui/window-hue.ts';

/**
 * Washes the window in the hue of a room, before the paint; null: the user is in none. Direct conversations have no hue
 * of their own. A room that is not known yet leaves the hue as it is.
 */
export function useWindowHue(roomId: number | null): void {
  const hue = useRooms(({ rooms }) => {
    if (roomId === null) return HALL_HUE;
    const room = rooms.find(({ id }) => id === roomId);
    if (room === undefined) return null;
    return room.kind === 'dm' ? HALL_HUE : roomHue(room);
  });
  useLayoutEffect(() => {
    if (hue !== null) washWindow(hue);
  }, [hue]);
  useLayoutEffect(() => () => washWindow(HALL_HUE), []);
}
