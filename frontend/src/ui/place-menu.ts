/** Where a menu opens: beside a box of the window, in pixels. Where the pointer is, the box has no size. */
export interface MenuPlace {
  readonly box: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** The edges that are in line. */
  readonly align: 'left' | 'right';
}

const GAP = 4;
const EDGE = 8;

/** Puts a menu below its box, or above it where there is no space, and always within the window. */
export function placeMenu({ style, offsetWidth, offsetHeight }: HTMLElement, at: MenuPlace): () => void {
  const place = placeWithin({ width: offsetWidth, height: offsetHeight }, at, {
    width: window.innerWidth,
    height: window.innerHeight,
  });
  style.left = `${place.left}px`;
  style.top = `${place.top}px`;
  return () => {
    style.removeProperty('left');
    style.removeProperty('top');
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where the upper left corner of a menu of this size is. */
export function placeWithin(
  menu: Size,
  { box, align }: MenuPlace,
  window: Size,
): { left: number; top: number } {
  const left = align === 'left' ? box.left : box.right - menu.width;
  const below = box.bottom + GAP;
  const top = below + menu.height > window.height - EDGE ? box.top - GAP - menu.height : below;
  return {
    left: Math.max(EDGE, Math.min(left, window.width - menu.width - EDGE)),
    top: Math.max(EDGE, top),
  };
}
