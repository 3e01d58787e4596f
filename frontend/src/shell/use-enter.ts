import { useLayoutEffect, useRef } from 'react';
import { isFirstPage, type Route, useRoute } from '../stores/route.ts';
import { NARROW } from '../stores/use-media.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';
/** How far a page comes from the side. */
const SIDE = '28px';

/**
 * On a phone a page comes from the side where it lies: from the right on the way in, from the left on the way back.
 * Nothing moves at the load of the page. Beside the list a room moves nothing: its first paint would wait for it.
 */
export function useEnter(): void {
  const { route } = useRoute();
  const before = useRef(route);
  useLayoutEffect(() => {
    const steps = depthOf(route) - depthOf(before.current);
    before.current = route;
    if (steps === 0 || !window.matchMedia(NARROW).matches || window.matchMedia(REDUCED).matches) return;
    const from = `${steps > 0 ? '' : '-'}${SIDE} 0`;
    for (const element of document.querySelectorAll('main > nav, main > [data-sheet]')) {
      element.animate(
        [
          { translate: from, opacity: 0.4 },
          { translate: '0 0', opacity: 1 },
        ],
        { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
      );
    }
  }, [route]);
}

/** How many steps a page is from the first ones. */
function depthOf(route: Route): number {
  if (route.page !== 'room') return isFirstPage(route) ? 0 : 1;
  return route.panel === null && route.target?.kind !== 'thread' ? 1 : 2;
}
