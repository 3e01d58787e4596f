import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { moved, WHOLE, type Zoom, type ZoomRules, zoomed } from './zoom.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

const FREELY: ZoomRules = { zoomed, moved };

/** A finger that moves this far to the side turns to the next picture. */
const SWIPE_PX = 60;

/** Zooms and moves what is in a box: by wheel, fingers, a double click, `zoomBy` or `moveBy`. */
export function useZoom(
  box: RefObject<HTMLElement | null>,
  onSwipe: (step: -1 | 1) => void,
  { zoomed, moved }: ZoomRules = FREELY,
) {
  const [zoom, setZoom] = useState<Zoom>(WHOLE);
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      setZoom((before) => zoomed(before, Math.exp(-event.deltaY / 300), fromMiddle(element, event)));
    };
    // React's would be passive.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, zoomed]);

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, at(event));
    start.current = pointers.current.size === 1 ? at(event) : null;
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const now = at(event);
    pointers.current.set(event.pointerId, now);
    const element = event.currentTarget;
    if (other === undefined) {
      moveBy(element, { x: now.x - before.x, y: now.y - before.y });
    } else {
      const middle = { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 };
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      setZoom((held) => zoomed(held, factor, fromMiddle(element, middle)));
    }
  }

  function moveBy({ clientWidth: width, clientHeight: height }: Element, by: Point): void {
    setZoom((held) => moved(held, by, { width, height }));
  }

  function onPointerEnd(event: PointerEvent<HTMLElement>): void {
    pointers.current.delete(event.pointerId);
    const from = start.current;
    start.current = null;
    if (from === null || zoom.scale !== 1 || event.pointerType === 'mouse') return;
    const by = at(event).x - from.x;
    if (Math.abs(by) > SWIPE_PX) onSwipe(by < 0 ? 1 : -1);
  }

  return {
    zoom,
    zoomBy: (factor: number) => setZoom((before) => zoomed(before, factor)),
    moveBy: (by: Point) => box.current && moveBy(box.current, by),
    reset: () => setZoom(WHOLE),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: onPointerEnd,
      onPointerCancel: onPointerEnd,
      onDoubleClick: (event: React.MouseEvent<HTMLElement>) => {
        const point = fromMiddle(event.currentTarget, event);
        setZoom((before) => (before.scale > 1 ? WHOLE : zoomed(before, 2.5, point)));
      },
    },
  };
}

function at({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point {
  return { x, y };
}

function fromMiddle(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
