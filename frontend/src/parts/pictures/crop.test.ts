import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WHOLE } from '../files/zoom.ts';
import { CROP_ZOOM_MAX, covering, cropRules, STAGE, squareOf } from './crop.ts';

const SIDES = { width: 0, height: 0 };
const size = fc.record({
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
});
const by = fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -900, max: 900 }) });
const factor = fc.double({ min: 0.1, max: 10, noNaN: true });

test('at first the middle is taken, as large as it can be', () => {
  expect(squareOf({ width: 400, height: 200 }, WHOLE)).toEqual({ left: 100, top: 0, side: 200 });
  expect(squareOf({ width: 3, height: 9 }, WHOLE)).toEqual({ left: 0, top: 3, side: 3 });
  expect(covering({ width: 400, height: 200 })).toEqual({ width: 2 * STAGE, height: STAGE });
});

test('however it is moved and zoomed, the square is within the picture', () => {
  fc.assert(
    fc.property(size, fc.array(fc.record({ by, factor }), { maxLength: 8 }), (picture, steps) => {
      const { zoomed, moved } = cropRules(picture);
      const end = steps.reduce(
        (held, step) => moved(zoomed(held, step.factor, step.by), step.by, SIDES),
        WHOLE,
      );
      const { left, top, side } = squareOf(picture, end);
      expect(end.scale).toBeGreaterThanOrEqual(1);
      expect(end.scale).toBeLessThanOrEqual(CROP_ZOOM_MAX);
      for (const [from, all] of [
        [left, picture.width],
        [top, picture.height],
      ] as const) {
        expect(from).toBeGreaterThanOrEqual(-1e-6);
        expect(from + side).toBeLessThanOrEqual(all + 1e-6);
      }
    }),
  );
});

test('what is moved to the right shows what is on the left; zooming takes less of it', () => {
  const picture = { width: 400, height: 200 };
  const { zoomed, moved } = cropRules(picture);
  expect(squareOf(picture, moved(WHOLE, { x: 60, y: 30 }, SIDES))).toEqual({ left: 50, top: 0, side: 200 });
  expect(squareOf(picture, zoomed(WHOLE, 2))).toEqual({ left: 150, top: 50, side: 100 });
});
