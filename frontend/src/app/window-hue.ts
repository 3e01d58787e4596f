import { useLayoutEffect } from 'react';
import { useRooms } from '../stores/rooms.ts';
import { HALL_HUE, roomHue } from '../ui/hue.ts';

/** The colours of the browser's own bars, which cannot follow a custom property: the hallway at a hue, per theme. */
const HALL = {
  light: (hue: number) => `oklch(95.2% 0.019 ${hue})`,
  dark: (hue: number) => `oklch(15.5% 0.024 ${hue})`,
} as const;

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
    if (hue !== null) show(hue);
  }, [hue]);
  useLayoutEffect(() => () => show(HALL_HUE), []);
}

function show(hue: number): void {
  document.documentElement.style.setProperty('--hue', String(hue));
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.content = HALL[meta.dataset.theme === 'dark' ? 'dark' : 'light'](hue);
  }
}
