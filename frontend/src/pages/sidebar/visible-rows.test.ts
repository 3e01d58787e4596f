import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeGroups, visibleRows } from './visible-rows.ts';

const view = fc.record({
  count: fc.nat(10_000),
  rowPx: fc.constantFrom(32, 44, 64),
  top: fc.integer({ min: -4000, max: 700_000 }),
  height: fc.nat(2000),
});

test('every row in sight is rendered', () => {
  fc.assert(
    fc.property(view, ({ count, rowPx, top, height }) => {
      const { first, end } = visibleRows({ count, rowPx, top, height });
      const firstSeen = Math.max(0, Math.floor(top / rowPx));
      const endSeen = Math.min(count, Math.ceil((top + height) / rowPx));
      if (firstSeen >= endSeen) return;
      expect(first).toBeLessThanOrEqual(firstSeen);
      expect(end).toBeGreaterThanOrEqual(endSeen);
    }),
  );
});

test('however many rooms there are, no more than a screenful and a few rows are rendered', () => {
  fc.assert(
    fc.property(view, (given) => {
      const { first, end } = visibleRows(given);
      expect(end - first).toBeLessThanOrEqual(Math.ceil((given.height || 900) / given.rowPx) + 26);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(first);
      expect(end).toBeLessThanOrEqual(given.count);
    }),
  );
});

test('groups stand beneath each other, each beneath its heading', () => {
  expect(placeGroups([2, 0, 3], { headPx: 30, rowPx: 10 })).toEqual({ starts: [30, 80, 110], total: 140 });
});
