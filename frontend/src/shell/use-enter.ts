import { type RefObject, useLayoutEffect, useRef } from 'react';
import { isFirstPage, type Route } from '../stores/route.ts';
import { NARROW } from '../stores/use-media.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';
/** How far a room rises, and how far a page of a phone comes from the side. */
const RISE = '6px';
const SIDE = '28px';

/**
 * Another room comes up a little as one enters it, while the hue of the window turns. On a phone a page comes from the
 * side where it lies: from the right on the way in, from the left on the way back. Nothing moves at the load of the page.
 */
export function useEnter(shell: RefObject<HTMLElement | null>, route: Route): void {
  const before = useRef(route);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = route;
    if (last === route || window.matchMedia(REDUCED).matches) return;
    const isPhone = window.matchMedia(NARROW).matches;
    const from = isPhone
      ? sideOf(depthOf(route) - depthOf(last))
      : isOtherRoom(last, route)
        ? `0 ${RISE}`
        : null;
    if (from === null) return;
    const shown = isPhone ? ':scope > nav, :scope > [data-sheet]' : '[data-page]';
    for (const element of shell.current?.querySelectorAll(shown) ?? []) {
      element.animate(
        [
          { translate: from, ...(isPhone && { opacity: 0.4 }) },
          { translate: '0 0', opacity: 1 },
        ],
        {
          duration: 180,
          easing: 'cubic-bezier(0.2, 0, 0, 1)',
        },
      );
    }
  }, [shell, route]);
}

function isOtherRoom(before: Route, route: Route): boolean {
  return route.page === 'room' && !(before.page === 'room' && before.roomId === route.roomId);
}

/** How many steps a page is from the first ones. */
function depthOf(route: Route): number {
  if (route.page !== 'room') return isFirstPage(route) ? 0 : 1;
  return route.panel === null && route.target?.kind !== 'thread' ? 1 : 2;
}

function sideOf(steps: number): string | null {
  return steps === 0 ? null : `${steps > 0 ? '' : '-'}${SIDE} 0`;
}
