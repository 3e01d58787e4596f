import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeGroups, rowStarts, visibleRows } from './visible-rows.ts';

const view = fc.record({
  heights: fc.array(fc.constantFrom(34, 44, 52, 68), { maxLength: 2000 }),
  top: fc.integer({ min: -4000, max: 100_000 }),
  height: fc.nat(2000),
});

test('every row in sight is rendered', () => {
  fc.assert(
    fc.property(view, ({ heights, top, height }) => {
      const starts = rowStarts(heights);
      const { first, end } = visibleRows({ starts, top, height });
      for (const [row, own] of heights.entries()) {
        const start = starts[row] ?? 0;
        const isSeen = start + own > top && start < top + height;
        if (isSeen) expect(row >= first && row < end).toBe(true);
      }
    }),
  );
});

test('however many rooms there are, no more than a screenful and a few rows are rendered', () => {
  fc.assert(
    fc.property(view, ({ heights, top, height }) => {
      const { first, end } = visibleRows({ starts: rowStarts(heights), top, height });
      expect(end - first).toBeLessThanOrEqual(Math.ceil(((height || 900) + 840) / 34) + 2);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(first);
      expect(end).toBeLessThanOrEqual(heights.length);
    }),
  );
});

test('groups stand beneath each other, each beneath its heading', () => {
  expect(placeGroups([20, 0, 30], 30)).toEqual({ starts: [30, 80, 110], total: 140 });
});
