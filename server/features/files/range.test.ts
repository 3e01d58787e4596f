import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNoneMatch, rangeOf } from './range.ts';

test.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=2-5', { from: 2, to: 6 }],
  ['bytes=2-', { from: 2, to: 10 }],
  ['bytes=2-99', { from: 2, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-99', { from: 0, to: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', 'none'],
  ['bytes=0-1,4-5', 'none'],
  ['bytes=-', 'none'],
  ['bytes=a-b', 'none'],
  ['pages=0-1', 'none'],
  [undefined, 'none'],
])('of ten bytes %s is %j', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

test('whatever is asked for, the range is within the file, and not empty', () => {
  const place = fc.oneof(fc.nat(30).map(String), fc.constantFrom('', '9'.repeat(400), ' 1', '-1', '1.5'));
  fc.assert(
    fc.property(place, place, fc.nat(20), (first, last, size) => {
      const range = rangeOf(`bytes=${first}-${last}`, size);
      if (typeof range === 'string') return;
      expect(range.from).toBeGreaterThanOrEqual(0);
      expect(range.to).toBeGreaterThan(range.from);
      expect(range.to).toBeLessThanOrEqual(size);
    }),
  );
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  [undefined, false],
])('If-None-Match: %s names "a": %s', (header, isMatch) => {
  expect(isNoneMatch(header, '"a"')).toBe(isMatch);
});
