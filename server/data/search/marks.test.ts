import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayMarks, dayMarksWithin } from './marks.ts';

const DAY_MS = 86_400_000;
const LAST = Date.parse('2060-01-01');
const TIME = fc.integer({ min: 0, max: LAST });

test('every message of a span has one of the marks of the span, and one of another day has none', () => {
  fc.assert(
    fc.property(TIME, TIME, TIME, (one, other, at) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
      const within = new Set(dayMarksWithin({ from, to }));
      const dayIsWithin = Math.floor(from / DAY_MS) * DAY_MS <= at && at < Math.ceil(to / DAY_MS) * DAY_MS;
      expect(dayMarks(at).filter((mark) => within.has(mark))).toHaveLength(dayIsWithin ? 1 : 0);
    }),
  );
});

test('few marks cover any span, and none covers an empty one', () => {
  fc.assert(
    fc.property(TIME, TIME, (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      expect(dayMarksWithin({ from, to }).length).toBeLessThanOrEqual(4 * 31 + 32);
    }),
  );
  expect(dayMarksWithin({ from: Number.NEGATIVE_INFINITY, to: LAST }).length).toBeLessThan(100);
  expect(dayMarksWithin({ from: 5, to: 5 })).toEqual([]);
});
