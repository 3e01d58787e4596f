import { useCallback, useLayoutEffect } from 'react';
import { ApiError, hueOf, ROOM_HUES } from '../../../../client/index.ts';
import type { Invitation } from '../../../../protocol/rest/rooms.ts';
import { doorRequests } from '../../stores/admin-requests.ts';
import { HALL_HUE } from '../../ui/hue.ts';
import { type Loaded, useLoaded } from '../../ui/use-loaded.ts';
import { washWindow } from '../../ui/window-hue.ts';

/** What an invitation leads to. The window takes the hue of its room for as long as it is shown. */
export function useInvitation(code: string): Loaded<Invitation> {
  const load = useCallback(() => doorRequests().invitation(code), [code]);
  const { loaded } = useLoaded(load);
  const hue = loaded.status === 'ready' ? invitedHue(loaded.value) : HALL_HUE;
  useLayoutEffect(() => {
    washWindow(hue);
    return () => washWindow(HALL_HUE);
  }, [hue]);
  return loaded;
}

/** The server knows the code no more, or never did. Anything else may pass. */
export function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** In degrees. An older server does not say it. */
export function invitedHue({ room }: Invitation): number {
  return room?.hue === undefined ? HALL_HUE : ROOM_HUES[hueOf({ id: 0, hue: room.hue })];
}
