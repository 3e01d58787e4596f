/** Which square of a picture is taken: the part that a square stage shows. Pure functions. */
import { WHOLE, type Zoom, type ZoomRules } from '../files/zoom.ts';

/** The side of the stage in pixels of the page. */
export const STAGE = 240;
export const CROP_ZOOM_MAX = 4;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in which a picture just covers the stage. */
export function covering({ width, height }: Size): Size {
  const scale = STAGE / Math.min(width, height);
  return { width: width * scale, height: height * scale };
}

/** It always covers the whole stage. */
export function cropRules(size: Size): ZoomRules {
  const cover = covering(size);
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  const held = ({ scale, x, y }: Zoom): Zoom => ({
    scale,
    x: within(x, (cover.width * scale - STAGE) / 2),
    y: within(y, (cover.height * scale - STAGE) / 2),
  });
  return {
    zoomed: ({ scale, x, y }, factor, point = { x: 0, y: 0 }) => {
      const next = Math.min(CROP_ZOOM_MAX, Math.max(WHOLE.scale, scale * factor));
      const by = next / scale;
      return held({ scale: next, x: point.x - (point.x - x) * by, y: point.y - (point.y - y) * by });
    },
    moved: ({ scale, x, y }, by) => held({ scale, x: x + by.x, y: y + by.y }),
  };
}

/** The square in pixels of the picture: its left upper corner and its side. */
export function squareOf(size: Size, { scale, x, y }: Zoom): { left: number; top: number; side: number } {
  const side = Math.min(size.width, size.height) / scale;
  const pixels = side / STAGE;
  return { left: (size.width - side) / 2 - x * pixels, top: (size.height - side) / 2 - y * pixels, side };
}
