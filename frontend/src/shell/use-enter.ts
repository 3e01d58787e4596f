import { type RefObject, useLayoutEffect, useRef } from 'react';

const RISE_PX = 6;
const REDUCED = '(prefers-reduced-motion: reduce)';

/** Another room comes up a little as one enters it, while the hue of the window turns. Not at the load of the page. */
export function useEnter(page: RefObject<HTMLElement | null>, roomId: number | null): void {
  const before = useRef<number | null>(roomId);
  useLayoutEffect(() => {
    if (roomId === before.current) return;
    before.current = roomId;
    if (roomId === null || window.matchMedia(REDUCED).matches) return;
    page.current?.animate([{ translate: `0 ${RISE_PX}px` }, { translate: '0 0' }], {
      duration: 180,
      easing: 'cubic-bezier(0.2, 0, 0, 1)',
    });
  }, [page, roomId]);
}
