/** Draws portraits of people who do not exist, an icon and emoji: flat shapes, with soft edges, from a few numbers. */
import { type Colour, png } from './picture.ts';

/** A shape: how far outside of it a point is, in parts of the side; below 0 is within. */
type Shape = (x: number, y: number) => number;
type Layer = readonly [Shape, Colour];

/** Someone's looks. The point (0, 0) is the middle; the sides are at −1 and 1. */
export interface Portrait {
  readonly back: readonly [Colour, Colour];
  readonly skin: Colour;
  readonly hair: Colour;
  readonly cut: 'short' | 'bob' | 'long' | 'bun' | 'curls' | 'scarf' | 'bald';
  readonly shirt: Colour;
  readonly beard?: true;
  readonly glasses?: true;
}

const SIDE = 192;
/** Samples in a row and a column of a pixel at an edge. */
const SAMPLES = 4;
/** How much closer the face is than in the numbers below: it is mostly shown small. */
const CLOSER = 0.82;

export function drawPortrait(portrait: Portrait): Buffer<ArrayBuffer> {
  const layers = layersOf(portrait).map(
    ([shape, colour]): Layer => [(x, y) => shape(x * CLOSER, (y + 0.12) * CLOSER - 0.1), colour],
  );
  return draw(SIDE, portrait.back, layers);
}

/** Layers from the back to the front. `back`: the ground, from one colour at its top to another; null: there is none. */
export function draw(
  side: number,
  back: readonly [Colour, Colour] | null,
  layers: readonly Layer[],
): Buffer<ArrayBuffer> {
  const at = (px: number, py: number) => {
    const [x, y] = [(2 * px) / side - 1, (2 * py) / side - 1];
    return layers.findLastIndex(([shape]) => shape(x, y) < 0);
  };
  const middles = Array.from({ length: side * side }, (_, pixel) =>
    at((pixel % side) + 0.5, Math.floor(pixel / side) + 0.5),
  );
  /** Not at an edge, one sample is enough. */
  const isPlain = (px: number, py: number) =>
    [-1, 0, 1].every((dx) =>
      [-1, 0, 1].every((dy) => {
        const [x, y] = [Math.min(side - 1, Math.max(0, px + dx)), Math.min(side - 1, Math.max(0, py + dy))];
        return middles[y * side + x] === middles[py * side + px];
      }),
    );
  const pixel = (px: number, py: number) => {
    const ground = back && between(back, py / side);
    const samples = isPlain(px, py)
      ? [middles[py * side + px] ?? -1]
      : samplesOf(px, py).map((one) => at(...one));
    return average(samples.map((index) => layers[index]?.[1] ?? ground));
  };
  return png(side, side, pixel, 4);
}

function samplesOf(px: number, py: number): (readonly [number, number])[] {
  return Array.from(
    { length: SAMPLES * SAMPLES },
    (_, one) =>
      [px + ((one % SAMPLES) + 0.5) / SAMPLES, py + (Math.floor(one / SAMPLES) + 0.5) / SAMPLES] as const,
  );
}

/** Where there is nothing, it can be seen through. */
function average(colours: readonly (Colour | null)[]): readonly [...Colour, number] {
  const seen = colours.filter((colour) => colour !== null);
  const mean = (at: 0 | 1 | 2) =>
    Math.round(seen.reduce((sum, colour) => sum + colour[at], 0) / Math.max(1, seen.length));
  return [mean(0), mean(1), mean(2), Math.round((255 * seen.length) / colours.length)];
}

export const ellipse =
  (cx: number, cy: number, rx: number, ry: number): Shape =>
  (x, y) =>
    Math.hypot((x - cx) / rx, (y - cy) / ry) - 1;
/** With round corners. */
const box =
  (cx: number, cy: number, w: number, h: number, round = 0): Shape =>
  (x, y) => {
    const dx = Math.max(0, Math.abs(x - cx) - w + round);
    const dy = Math.max(0, Math.abs(y - cy) - h + round);
    return Math.hypot(dx, dy) - Math.max(round, 1e-9);
  };
export const both =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    Math.max(a(x, y), b(x, y));
export const without =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    Math.max(a(x, y), -b(x, y));
/** A line from one point to another, so thick. */
export const stroke =
  ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], thick: number): Shape =>
  (x, y) => {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy) - thick;
  };
/** How the face stands: a little above the middle, as in a photo for a pass. */
const FACE = ellipse(0, -0.08, 0.36, 0.44);
const INK: Colour = [52, 40, 48];

function layersOf({ skin, hair, cut, shirt, beard, glasses }: Portrait): Layer[] {
  const shade = mixed(skin, INK, 0.16);
  const behind = BEHIND[cut];
  return [
    ...(behind ? [[behind, mixed(hair, INK, 0.18)] as Layer] : []),
    [ellipse(0, 1.12, 0.86, 0.62), shirt],
    [box(0, 0.42, 0.15, 0.26, 0.12), shade],
    [ellipse(0, 0.58, 0.2, 0.13), shade],
    ...(cut === 'scarf' ? [] : [-1, 1].map((side): Layer => [ellipse(0.36 * side, -0.06, 0.07, 0.1), shade])),
    [FACE, skin],
    ...(beard ? ([[BEARD, hair]] as Layer[]) : []),
    ...FEATURES(mixed(skin, INK, 0.55), mixed(skin, [214, 92, 92], 0.28), hair),
    ...(glasses ? GLASSES : []),
    ...FRONT[cut].map((shape): Layer => [shape, hair]),
  ];
}

const BEARD = without(
  both(ellipse(0, -0.06, 0.385, 0.475), (_, y) => 0.08 - y),
  ellipse(0, 0.1, 0.25, 0.13),
);
const FEATURES = (mouth: Colour, cheek: Colour, hair: Colour): Layer[] => [
  ...[-1, 1].map((side): Layer => [ellipse(0.21 * side, 0.07, 0.07, 0.045), cheek]),
  ...[-1, 1].map((side): Layer => [ellipse(0.145 * side, -0.06, 0.034, 0.044), INK]),
  ...[-1, 1].map(
    (side): Layer => [stroke([0.09 * side, -0.175], [0.2 * side, -0.165], 0.017), mixed(hair, INK, 0.5)],
  ),
  [both(without(ellipse(0, 0.13, 0.12, 0.09), ellipse(0, 0.1, 0.13, 0.085)), (_, y) => 0.13 - y), mouth],
];
const GLASSES: Layer[] = [
  ...[-1, 1].map(
    (side): Layer => [
      without(ellipse(0.15 * side, -0.06, 0.115, 0.105), ellipse(0.15 * side, -0.06, 0.092, 0.082)),
      INK,
    ],
  ),
  [stroke([-0.04, -0.07], [0.04, -0.07], 0.012), INK],
];

/** The hair behind the head. */
const BEHIND: Readonly<Record<Portrait['cut'], Shape | null>> = {
  short: null,
  bald: null,
  bob: box(0, -0.02, 0.47, 0.44, 0.36),
  long: box(0, 0.18, 0.49, 0.66, 0.4),
  bun: ellipse(0, -0.6, 0.19, 0.17),
  curls: (x, y) => Math.hypot(x / 0.56, (y + 0.16) / 0.52) - 1 - 0.05 * Math.sin(9 * Math.atan2(y + 0.16, x)),
  scarf: ellipse(0, -0.04, 0.5, 0.6),
};
/** A cap of hair: the top of the head above a hairline. */
const cap = (line: Shape, grown = 1.06): Shape => both(ellipse(0, -0.1, 0.36 * grown, 0.44 * grown), line);
const FRONT: Readonly<Record<Portrait['cut'], readonly Shape[]>> = {
  short: [cap((x, y) => y + 0.3 - 0.14 * x - 0.1 * x * x, 1.08)],
  bald: [],
  bob: [cap((x, y) => y + 0.26 - 0.55 * x * x, 1.1)],
  long: [cap((x, y) => y + 0.34 - 1.6 * (x - 0.08) ** 2, 1.1)],
  bun: [cap((x, y) => y + 0.3 - 0.9 * x * x)],
  curls: [cap((x, y) => y + 0.28 + 0.03 * Math.sin(22 * x), 1.1)],
  scarf: [without(ellipse(0, -0.08, 0.46, 0.56), ellipse(0, 0.0, 0.32, 0.42))],
};

export function mixed(a: Colour, b: Colour, share: number): Colour {
  return between([a, b], share);
}

function between([a, b]: readonly [Colour, Colour], share: number): Colour {
  const one = (at: 0 | 1 | 2) => a[at] + (b[at] - a[at]) * share;
  return [one(0), one(1), one(2)];
}
