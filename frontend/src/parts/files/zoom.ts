/** How a picture is zoomed and moved. Pure functions. */

export interface Zoom {
  readonly scale: number;
  /** Of its middle from the middle of the screen, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** How it may be zoomed and moved. */
export interface ZoomRules {
  zoomed(held: Zoom, factor: number, point?: { readonly x: number; readonly y: number }): Zoom;
  moved(held: Zoom, by: { readonly x: number; readonly y: number }, size: Size): Zoom;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
const MAX = 8;

/** Zooms by a factor; what is at `point`, from the middle of the screen, stays where it is. */
export function zoomed({ scale, x, y }: Zoom, factor: number, point = { x: 0, y: 0 }): Zoom {
  const next = Math.min(MAX, Math.max(1, scale * factor));
  if (next === 1) return WHOLE;
  const by = next / scale;
  return { scale: next, x: point.x - (point.x - x) * by, y: point.y - (point.y - y) * by };
}

/** Moves it, but no further than until its edge is in the middle of `size`. */
export function moved(
  { scale, x, y }: Zoom,
  by: { readonly x: number; readonly y: number },
  size: Size,
): Zoom {
  if (scale === 1) return WHOLE;
  const [right, down] = [(size.width * scale) / 2, (size.height * scale) / 2];
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return { scale, x: within(x + by.x, right), y: within(y + by.y, down) };
}
