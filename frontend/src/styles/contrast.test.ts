/** The contrast of the colours of tokens.css, computed: WCAG 2.2 AA asks for 4.5:1, or 3:1 for what is no text. */
import { describe, expect, test } from 'vitest';
import { ROOM_HUES } from '../../../client/index.ts';
import css from './tokens.css?raw';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Lightness from 0 to 1, chroma, hue in degrees. */
type Oklch = readonly [number, number, number];

/** The value of a token in a theme. `hue`: of the room one is in, or of the person or door itself. */
function colour(token: string, theme: Theme, hue = 0): Oklch {
  const found = new RegExp(
    `--${token}: (?:light-dark\\(oklch\\(([^)]*?)\\), oklch\\((.*?)\\)\\)|oklch\\((.*?)\\));`,
  ).exec(css.replaceAll(/var\(--(?:own-)?hue\)/g, String(hue)));
  const value = found?.[theme === 'light' ? 1 : 2] ?? found?.[3];
  const [lightness = Number.NaN, chroma = Number.NaN, angle = Number.NaN] =
    value?.split(' ').map((part) => Number.parseFloat(part)) ?? [];
  return [lightness / 100, chroma, angle];
}

/** The relative luminance of a colour, clipped to sRGB (CSS Color 4, WCAG 2.2). */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Oklch, b: Oklch): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = [
  'hall',
  'hall-field',
  'hall-hover',
  'glow',
  'surface-sunken',
  'surface',
  'surface-raised',
  'surface-hover',
  'surface-touched',
  'surface-selected',
  'accent-soft',
  'chosen',
  'warm-soft',
];
const TEXTS = ['text', 'text-muted', 'text-faint', 'accent-text', 'warm-text'];
const EVERY_HUE = Array.from({ length: 360 }, (_, hue) => hue);

test('black on white is 21:1: the formula is right', () => {
  expect(contrast([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 1);
});

describe.each(THEMES)('in the %s theme', (theme) => {
  const ratio = (ink: string, back: string, hue?: number) =>
    contrast(colour(ink, theme, hue), colour(back, theme, hue));

  describe.each(Object.entries(ROOM_HUES))('in a room whose hue is %s', (_name, hue) => {
    test.each(SURFACES)('every text is at least 4.5:1 on --%s', (surface) => {
      for (const text of TEXTS) expect(ratio(text, surface, hue), text).toBeGreaterThan(4.5);
    });

    test.each([
      ['on-accent', 'accent'],
      ['on-accent', 'accent-hover'],
      ['on-warm', 'warm'],
      ['text', 'count'],
      ['danger', 'danger-soft'],
      ['danger', 'surface'],
      ['warning-text', 'warning-soft'],
      ['success-text', 'success-soft'],
      ['on-tooltip', 'tooltip'],
    ] as const)('--%s is at least 4.5:1 on --%s', (ink, back) => {
      expect(ratio(ink, back, hue)).toBeGreaterThan(4.5);
    });

    test.each([
      ['accent', 'surface'],
      ['online', 'hall'],
      ['online', 'surface'],
      ['warm', 'hall'],
      ['line-control', 'surface'],
    ] as const)('--%s, which is no text, is at least 3:1 on --%s', (sign, back) => {
      expect(ratio(sign, back, hue)).toBeGreaterThan(3);
    });
  });

  test.each([
    ['hue-ink', 'hue-back'],
    ['on-leaf', 'hue-leaf'],
    ['on-door', 'hue-door'],
  ] as const)(
    'the letters of doors and avatars are at least 4.5:1 in every hue: --%s on --%s',
    (ink, back) => {
      for (const hue of EVERY_HUE) expect(ratio(ink, back, hue), `hue ${hue}`).toBeGreaterThan(4.5);
    },
  );
});
