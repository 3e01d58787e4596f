import { useSyncExternalStore } from 'react';

/** One pane at a time. The same width as in the style sheets. */
export const NARROW = '(width < 768px)';
/** Not wide enough for a panel beside the room: it stands in its place. The same width as in the style sheets. */
export const ONE_PANE = '(width < 1080px)';
/** The list of rooms is a rail of doors. */
export const RAIL = '(768px <= width < 900px)';
/** Where `--target` is large enough for a finger. */
export const LARGE_TARGETS = '(pointer: coarse), (width < 768px)';

/** The main input is a finger: no hover, and a keyboard on the screen. */
export function isTouch(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}

/** Whether the media query holds, now and later. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}
