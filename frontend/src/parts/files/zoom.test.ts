import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved, WHOLE, zoomed } from './zoom.ts';

const point = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) });

test('what is under the fingers stays there while it is zoomed', () => {
  fc.assert(
    fc.property(point, fc.double({ min: 1.1, max: 2, noNaN: true }), point, (by, factor, at) => {
      const before = moved(zoomed(WHOLE, 3), by, { width: 800, height: 600 });
      const after = zoomed(before, factor, at);
      // The place within the picture that is at the point.
      const of = (zoom: typeof before) => (at.x - zoom.x) / zoom.scale;
      expect(of(after)).toBeCloseTo(of(before), 6);
    }),
  );
});

test('a picture that is shown whole does not move, and zooming out ends there', () => {
  expect(moved(WHOLE, { x: 50, y: 50 }, { width: 100, height: 100 })).toEqual(WHOLE);
  expect(zoomed(zoomed(WHOLE, 4, { x: 30, y: 0 }), 0.1)).toEqual(WHOLE);
});

test('it is zoomed eight times at most, and never leaves the screen', () => {
  expect(zoomed(WHOLE, 100).scale).toBe(8);
  const far = moved(zoomed(WHOLE, 2), { x: 9999, y: -9999 }, { width: 100, height: 50 });
  expect(far).toEqual({ scale: 2, x: 100, y: -50 });
});
