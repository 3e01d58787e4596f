import { useLayoutEffect, useRef } from 'react';
import { useRooms } from '../stores/rooms.ts';
import { HALL_HUE, roomHue } from '../ui/hue.ts';
import { washWindow } from '../ui/window-hue.ts';

/**
 * Washes the window in the hue of a room; null: the user is in none. Direct conversations have no hue of their own. A
 * room that is not known yet leaves the hue as it is. The first hue is there before the paint. A later one comes right
 * after the paint of its room, as every element depends on it: a click on a room is not to wait for that.
 */
export function useWindowHue(roomId: number | null): void {
  const hue = useRooms(({ rooms }) => {
    if (roomId === null) return HALL_HUE;
    const room = rooms.find(({ id }) => id === roomId);
    if (room === undefined) return null;
    return room.kind === 'dm' ? HALL_HUE : roomHue(room);
  });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (hue === null) return;
    if (!isFirst.current) return afterPaint(() => washWindow(hue));
    isFirst.current = false;
    washWindow(hue);
  }, [hue]);
  useLayoutEffect(() => () => washWindow(HALL_HUE), []);
}

/** Returns the function that cancels it. */
function afterPaint(run: () => void): () => void {
  let timer: number | undefined;
  const frame = requestAnimationFrame(() => {
    timer = window.setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
