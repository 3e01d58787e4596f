import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface ListView {
  readonly top: number;
  readonly height: number;
}

/** The current row; `top` is null when it is not among the rows. */
interface CurrentRow {
  readonly id: number | null;
  readonly top: number | null;
}

/**
 * Which part of the list is in sight, as the box scrolls. A new current row is scrolled into sight, and stays there
 * when others push it down, unless the user is in the list or has scrolled it.
 */
export function useListView(
  box: RefObject<HTMLElement | null>,
  rowPx: number,
  current: CurrentRow,
): ListView {
  const [view, setView] = useState<ListView>({ top: 0, height: 0 });

  const look = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    // In steps of rows: scrolling by a pixel renders nothing.
    const top = Math.floor(element.scrollTop / rowPx) * rowPx;
    setView((before) => {
      const same = before.top === top && before.height === element.clientHeight;
      return same ? before : { top, height: element.clientHeight };
    });
  }, [box, rowPx]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [box, look]);

  const { id, top } = current;
  const shown = useRef<{ id: number | null; at: number }>({ id: null, at: 0 });

  function showCurrent(): void {
    const element = box.current;
    if (element === null || top === null) return;
    const isMoved = shown.current.at !== element.scrollTop || element.matches(':hover, :focus-within');
    if (shown.current.id === id && isMoved) return;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + 2 * rowPx;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    shown.current = { id, at: element.scrollTop };
    // Before the paint, so that it has the rows that are now in sight.
    look();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is made of these.
  useLayoutEffect(showCurrent, [id, top, rowPx]);

  return view;
}
