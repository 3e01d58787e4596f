/** The portraits of the demo, the icon of its server, and its emoji. People without a portrait have their initials. */
import type { Colour } from './picture.ts';
import { both, draw, drawPortrait, ellipse, type Portrait, stroke, without } from './portrait.ts';

const PORTRAITS: Readonly<Record<string, Portrait>> = {
  'Maya Lindqvist': {
    ...{
      back: [
        [255, 214, 186],
        [247, 170, 150],
      ],
      skin: [246, 208, 184],
      hair: [196, 132, 66],
    },
    ...{ cut: 'bob', shirt: [62, 104, 148] },
  },
  'Jonas Weber': {
    ...{
      back: [
        [190, 214, 236],
        [132, 168, 208],
      ],
      skin: [240, 200, 174],
      hair: [98, 66, 46],
    },
    ...{ cut: 'short', shirt: [48, 64, 92], beard: true },
  },
  'Ines Moreau': {
    ...{
      back: [
        [214, 232, 206],
        [150, 192, 156],
      ],
      skin: [232, 186, 156],
      hair: [58, 40, 40],
    },
    ...{ cut: 'long', shirt: [196, 84, 92] },
  },
  'Aiko Tanaka': {
    ...{
      back: [
        [250, 222, 232],
        [226, 160, 190],
      ],
      skin: [244, 210, 182],
      hair: [36, 32, 42],
    },
    ...{ cut: 'bun', shirt: [90, 76, 140] },
  },
  'Noor Haddad': {
    ...{
      back: [
        [252, 232, 196],
        [232, 190, 122],
      ],
      skin: [218, 168, 132],
      hair: [38, 110, 116],
    },
    ...{ cut: 'scarf', shirt: [66, 70, 96] },
  },
  'Sam Okafor': {
    ...{
      back: [
        [206, 226, 226],
        [120, 172, 176],
      ],
      skin: [132, 86, 62],
      hair: [34, 28, 30],
    },
    ...{ cut: 'short', shirt: [232, 178, 70], glasses: true },
  },
  'Tomás Ferreira': {
    ...{
      back: [
        [226, 218, 244],
        [168, 152, 214],
      ],
      skin: [226, 176, 142],
      hair: [44, 34, 34],
    },
    ...{ cut: 'curls', shirt: [74, 132, 112] },
  },
  林小雨: {
    ...{
      back: [
        [206, 222, 248],
        [150, 180, 230],
      ],
      skin: [246, 212, 186],
      hair: [30, 28, 36],
    },
    ...{ cut: 'bob', shirt: [232, 236, 240], glasses: true },
  },
  'Priya Raman': {
    ...{
      back: [
        [250, 214, 200],
        [228, 140, 120],
      ],
      skin: [178, 120, 86],
      hair: [32, 26, 30],
    },
    ...{ cut: 'long', shirt: [236, 150, 60] },
  },
  'Ravi Menon': {
    ...{
      back: [
        [210, 230, 214],
        [132, 178, 150],
      ],
      skin: [160, 108, 78],
      hair: [40, 34, 36],
    },
    ...{ cut: 'bald', shirt: [92, 56, 84], beard: true, glasses: true },
  },
  'Rafael Costa': {
    ...{
      back: [
        [236, 226, 206],
        [200, 172, 132],
      ],
      skin: [206, 152, 116],
      hair: [60, 44, 38],
    },
    ...{ cut: 'short', shirt: [70, 120, 170] },
  },
};

/** By name, as PNG. */
export function portraits(): ReadonlyMap<string, () => Buffer<ArrayBuffer>> {
  return new Map(Object.entries(PORTRAITS).map(([name, look]) => [name, () => drawPortrait(look)]));
}

const WHITE: Colour = [255, 255, 255];

/** A star with four points, where the north is. */
const star =
  (cx: number, cy: number, size: number) =>
  (x: number, y: number): number =>
    Math.sqrt(Math.abs(x - cx) / size) + Math.sqrt(Math.abs(y - cy) / size) - 1;

/** The star above hills at night. */
export function drawIcon(): Buffer<ArrayBuffer> {
  return draw(
    256,
    [
      [38, 52, 112],
      [104, 122, 196],
    ],
    [
      [ellipse(-0.55, 1.3, 1.15, 0.85), [72, 150, 160]],
      [ellipse(0.6, 1.45, 1.2, 0.85), [44, 106, 130]],
      [star(0.12, -0.22, 0.6), [255, 226, 150]],
    ],
  );
}

/** The emoji of the server, by name. They stand without a ground. */
export const EMOJI: ReadonlyMap<string, () => Buffer<ArrayBuffer>> = new Map([
  ['ship-it', drawShip],
  ['green-build', drawGreen],
  ['oat-latte', drawLatte],
  ['northwind', drawStar],
]);

/** A boat with a sail. */
function drawShip(): Buffer<ArrayBuffer> {
  const sail = (x: number, y: number) => Math.max(-0.02 - x, x - 0.62 * ((y + 0.72) / 1.0), y - 0.2);
  const back = (x: number, y: number) => Math.max(x + 0.1, -x - 0.5 * ((y + 0.5) / 0.7), y - 0.2);
  return draw(128, null, [
    [both(ellipse(0, 0, 0.96, 0.96), (_, y) => 0.5 - y), [54, 122, 180]],
    [both(ellipse(0, 0, 0.96, 0.96), (_, y) => y - 0.5), [178, 220, 246]],
    [sail, [240, 92, 84]],
    [back, [252, 170, 96]],
    [stroke([-0.06, -0.8], [-0.06, 0.3], 0.035), [92, 66, 54]],
    [both(ellipse(0, 0.22, 0.72, 0.46), (_, y) => 0.3 - y), [122, 84, 62]],
  ]);
}

/** A check in a circle. */
function drawGreen(): Buffer<ArrayBuffer> {
  return draw(128, null, [
    [ellipse(0, 0, 0.92, 0.92), [46, 160, 92]],
    [stroke([-0.42, 0.04], [-0.12, 0.36], 0.11), WHITE],
    [stroke([-0.12, 0.36], [0.44, -0.32], 0.11), WHITE],
  ]);
}

/** A cup from above, with a heart of foam. */
function drawLatte(): Buffer<ArrayBuffer> {
  const heart = (x: number, y: number) => {
    const [u, v] = [x / 0.42, -(y + 0.02) / 0.42];
    return (u * u + v * v - 0.6) ** 3 - u * u * v * v * v;
  };
  return draw(128, null, [
    [ellipse(0, 0, 0.94, 0.94), [214, 222, 232]],
    [without(ellipse(0, 0, 0.78, 0.78), ellipse(0, 0, 0.68, 0.68)), WHITE],
    [ellipse(0, 0, 0.68, 0.68), [166, 112, 72]],
    [heart, [250, 236, 214]],
  ]);
}

/** The star of the icon. */
function drawStar(): Buffer<ArrayBuffer> {
  return draw(128, null, [
    [ellipse(0, 0, 0.94, 0.94), [52, 66, 136]],
    [star(0, 0, 0.86), [255, 226, 150]],
  ]);
}
