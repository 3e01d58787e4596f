import { useSyncExternalStore } from 'react';

/** One pane at a time: the same widths as in every style sheet. */
export const NARROW = '(width < 768px)';
/** Where `--target` is that of a finger. */
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
