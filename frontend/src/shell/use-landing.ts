import { useEffect } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { lastRoomOf } from '../stores/device.ts';
import { useRooms } from '../stores/rooms.ts';
import { navigate, type Route, roomPath } from '../stores/route.ts';
import { takeSignUp } from '../stores/session.ts';
import { NARROW } from '../stores/use-media.ts';

/**
 * A wide screen has space for a room beside the list: the one that was open last, or, for an account that was just
 * made, the one that every new user joins.
 */
export function useLanding(route: Route, userId: number): void {
  const isListed = useRooms((store) => store.rooms.length > 0);
  useEffect(() => {
    if (route.page !== 'home' || !isListed || window.matchMedia(NARROW).matches) return;
    const isWanted = takeSignUp()
      ? ({ is_default: isDefault }: RoomInfo) => isDefault === true
      : ({ id }: RoomInfo) => id === lastRoomOf(userId);
    const wanted = useRooms.getState().rooms.find(isWanted);
    if (wanted !== undefined) navigate(roomPath(wanted.id), 'replace');
  }, [route.page, isListed, userId]);
}
