import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { LARGE_TARGETS, useMedia } from '../ui/use-media.ts';
import { type RowRange, visibleRows } from './visible-rows.ts';

/** Which of `count` rows are drawn, as the box scrolls; the row at `currentIndex` is brought into sight when it changes. */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  currentIndex: number,
): RowRange & { readonly rowPx: number } {
  const rowPx = useMedia(LARGE_TARGETS) ? 44 : 36;
  const [view, setView] = useState({ top: 0, height: 0 });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      // In steps of rows: scrolling by a pixel draws nothing anew.
      const top = Math.floor(element.scrollTop / rowPx) * rowPx;
      setView((before) => {
        const same = before.top === top && before.height === element.clientHeight;
        return same ? before : { top, height: element.clientHeight };
      });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [box, rowPx]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || currentIndex < 0) return;
    const top = currentIndex * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + 2 * rowPx;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }, [box, currentIndex, rowPx]);

  return { ...visibleRows({ count, rowPx, top: view.top, height: view.height }), rowPx };
}
