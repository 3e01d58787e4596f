/** Small pictures that are drawn: of people, of a server, and of emoji. */
import { png } from '../../../demo/picture.ts';

type Colour = readonly [number, number, number];

const SIZE = 256;

/** A head and shoulders before a wall. */
export function drawFace(wall: Colour, skin: Colour, hair: Colour, coat: Colour): Buffer<ArrayBuffer> {
  return png(SIZE, SIZE, (x, y) => {
    const [u, v] = [x / SIZE - 0.5, y / SIZE - 0.5];
    if (Math.hypot(u, (v - 0.02) * 0.85) < 0.17) return v < -0.12 ? hair : skin;
    if (Math.hypot(u, v + 0.05) < 0.21 && v < 0.06) return hair;
    if (Math.hypot(u * 0.8, v - 0.52) < 0.29) return coat;
    return Math.abs(u) < 0.05 && v > 0 && v < 0.25 ? skin : wall;
  });
}

/** A white arch on a slope of two colours. */
export function drawIcon(): Buffer<ArrayBuffer> {
  return png(SIZE, SIZE, (x, y) => {
    const [u, v] = [x / SIZE - 0.5, y / SIZE - 0.5];
    const isArch = Math.abs(u) < 0.2 && v < 0.3 && (v > -0.08 || Math.hypot(u, v + 0.08) < 0.2);
    return isArch ? [250, 250, 246] : [20 + y / 3, 120 - y / 5, 110 + x / 3];
  });
}

/** A shape of one colour on white: a disc, a ring, or a banner that is wider than it is high. */
export function drawEmoji(shape: 'disc' | 'ring' | 'banner', colour: Colour): Buffer<ArrayBuffer> {
  const [width, height] = shape === 'banner' ? [128, 64] : [128, 128];
  return png(width, height, (x, y) => {
    if (shape === 'banner') return Math.abs(((x + y) % 32) - 16) < 8 ? colour : [255, 255, 255];
    const away = Math.hypot(x - 64, y - 64);
    return away < 60 && (shape === 'disc' || away > 32) ? colour : [255, 255, 255];
  });
}
