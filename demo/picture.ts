/** Draws small landscapes, so that the demo needs no files of anybody. */
import { crc32, deflateSync } from 'node:zlib';

export type Colour = readonly [number, number, number];

/** A landscape: the sky at its top and at the horizon, the hills from the back to the front, and the water. */
export interface Landscape {
  readonly width: number;
  readonly height: number;
  readonly sky: readonly [Colour, Colour];
  readonly sun: Colour;
  readonly hills: readonly Colour[];
  readonly water: Colour;
  /** Makes two of the same colours differ. */
  readonly seed: number;
}

export const PIER: Landscape = {
  ...{ width: 960, height: 640, seed: 3 },
  sky: [
    [64, 92, 158],
    [248, 190, 150],
  ],
  sun: [255, 236, 196],
  hills: [
    [150, 128, 160],
    [104, 92, 132],
    [62, 58, 96],
  ],
  water: [58, 84, 130],
};
export const FOREST: Landscape = {
  ...{ width: 640, height: 860, seed: 11 },
  sky: [
    [120, 178, 206],
    [230, 240, 226],
  ],
  sun: [255, 250, 224],
  hills: [
    [134, 170, 150],
    [84, 132, 104],
    [44, 92, 70],
  ],
  water: [96, 140, 138],
};
export const DUNES: Landscape = {
  ...{ width: 900, height: 600, seed: 7 },
  sky: [
    [86, 140, 196],
    [252, 224, 178],
  ],
  sun: [255, 255, 240],
  hills: [
    [226, 178, 120],
    [206, 146, 92],
    [168, 108, 70],
  ],
  water: [150, 100, 68],
};

/** The landscape as a PNG. */
export function drawLandscape(landscape: Landscape): Buffer<ArrayBuffer> {
  const { width, height } = landscape;
  return png(width, height, (x, y) => colourAt(landscape, x / width, y / height));
}

/** A PNG whose pixels have these colours; of four channels, the last one is how opaque they are. */
export function png(
  width: number,
  height: number,
  colour: (x: number, y: number) => Colour | readonly [...Colour, number],
  channels: 3 | 4 = 3,
): Buffer<ArrayBuffer> {
  const line = 1 + width * channels;
  const rows = Buffer.alloc(height * line);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * line + 1 + x * channels);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of each channel.
  head.set([8, channels === 4 ? 6 : 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND')];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

const HORIZON = 0.62;
const SHORE = 0.8;

function colourAt(landscape: Landscape, x: number, y: number): Colour {
  const { hills, water, sky, sun, seed } = landscape;
  if (y > SHORE) {
    const ripple = 0.5 + 0.5 * Math.sin(y * 210 + Math.sin(x * 40 + seed) * 2);
    return mix(water, sky[1], (0.12 + 0.3 * ripple * (1 - (y - SHORE) / (1 - SHORE))) * 0.9);
  }
  const front = hills.findLastIndex((_, index) => y > ridge(x, index, hills.length, seed));
  const hill = hills[front];
  if (hill !== undefined) return mix(hill, sky[1], 0.12 * (1 - (y - HORIZON)));
  const air = mix(sky[0], sky[1], Math.min(1, y / HORIZON) ** 1.4);
  const away = Math.hypot((x - 0.68) * 1.5, y - 0.34);
  return away < 0.055 ? sun : mix(air, sun, Math.max(0, 0.55 - away) * 0.8);
}

/** How high a hill begins. */
function ridge(x: number, index: number, count: number, seed: number): number {
  const waves = [1.7, 3.9, 9.1].map(
    (rate, at) => Math.sin(x * rate * (index + 1) + seed * (at + 1.3)) / (at + 1),
  );
  const sum = waves.reduce((total, wave) => total + wave, 0);
  return HORIZON - 0.12 + (index / count) * 0.2 + 0.055 * sum;
}

function mix(a: Colour, b: Colour, share: number): Colour {
  const one = (at: 0 | 1 | 2) => Math.round(a[at] + (b[at] - a[at]) * share);
  return [one(0), one(1), one(2)];
}
