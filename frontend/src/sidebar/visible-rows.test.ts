import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleRows } from './visible-rows.ts';

const view = fc.record({
  count: fc.nat(10_000),
  rowPx: fc.constantFrom(36, 44),
  top: fc.nat(400_000),
  height: fc.nat(2000),
});

test('every row in sight is rendered', () => {
  fc.assert(
    fc.property(view, ({ count, rowPx, top, height }) => {
      const scrolled = Math.min(top, Math.max(0, count * rowPx - height));
      const { first, end } = visibleRows({ count, rowPx, top: scrolled, height });
      expect(first).toBeLessThanOrEqual(Math.floor(scrolled / rowPx));
      expect(end).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((scrolled + height) / rowPx)));
    }),
  );
});

test('however many rooms there are, no more than a screenful and a few rows are rendered', () => {
  fc.assert(
    fc.property(view, (given) => {
      const { first, end } = visibleRows(given);
      expect(end - first).toBeLessThanOrEqual(Math.ceil((given.height || 900) / given.rowPx) + 26);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(given.count);
    }),
  );
});
