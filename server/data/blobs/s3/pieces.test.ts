import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, PART_BYTES_MIN, PARTS_MAX, type PartObject, partBytesFor, sectionsOf } from './pieces.ts';

const part = (from: number, to: number): PartObject => ({ name: `${from}-${to}`, from, to });

/** The byte at a place of a file is the number of the place. */
function bytesOf(slices: readonly { source: string; from: number; to: number }[]): number[] {
  return slices.flatMap(({ source, from, to }) => {
    const [begin = 0, end = 0] = source.split('-').map(Number);
    expect(begin + to).toBeLessThanOrEqual(end);
    return Array.from({ length: to - from }, (_, index) => begin + from + index);
  });
}

describe('the parts of an upload', () => {
  it('in any order and over each other, give each byte once', () => {
    const parts = fc.array(
      fc
        .tuple(fc.nat(60), fc.integer({ min: 1, max: 30 }))
        .map(([from, length]) => part(from, from + length)),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(parts, fc.nat(90), (all, size) => {
        const { slices, reached } = chainOf(all, size);
        expect(bytesOf(slices)).toEqual(Array.from({ length: reached }, (_, place) => place));
        const isCovered = (place: number) => all.some(({ from, to }) => from <= place && place < to);
        let end = 0;
        while (end < size && isCovered(end)) end++;
        expect(reached).toBe(end);
      }),
    );
  });

  it('a shorter part at the same place takes nothing away', () => {
    expect(chainOf([part(0, 10), part(0, 50)], 50).slices).toEqual([{ source: '0-50', from: 0, to: 50 }]);
  });

  it('become parts of 5 MiB but the last, and no more than 10 000', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 8 * 1024 * 1024 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(lengths, (all) => {
        const size = all.reduce((sum, length) => sum + length, 0);
        const slices = all.map((length, index) => ({ source: String(index), from: 0, to: length }));
        const sections = sectionsOf(slices, size);
        expect(sections.flatMap((section) => section.slices)).toEqual(slices);
        for (const { length } of sections.slice(0, -1)) expect(length).toBeGreaterThanOrEqual(PART_BYTES_MIN);
        expect(sections.reduce((sum, { length }) => sum + length, 0)).toBe(size);
      }),
    );
    for (const size of [1, 50 * 2 ** 30, 2 ** 40])
      expect(Math.ceil(size / partBytesFor(size))).toBeLessThanOrEqual(PARTS_MAX);
  });
});
