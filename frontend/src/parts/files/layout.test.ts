import { expect, test } from 'vitest';
import { kindOf, layoutOf } from './layout.ts';

const file = (type: string, more: object = {}) => ({ key: 'k', name: 'a', type, size: 1, ...more });
const picture = (width: number, height: number) => file('image/png', { width, height });

test('pictures stand in one grid, and each other file in a line of its own, in their order', () => {
  const blocks = layoutOf([file('text/plain'), picture(4, 3), file('audio/mpeg'), picture(3, 4)]);
  expect(blocks.map(({ kind, files }) => [kind, files.length])).toEqual([
    ['image', 2],
    ['file', 1],
    ['audio', 1],
  ]);
});

test.each([
  [4000, 3000, 440, 4 / 3],
  [3000, 4000, 248, 0.75],
  [10_000, 100, 440, 4],
  [100, 10_000, 132, 0.4],
  [40, 40, 96, 1],
])('a picture of %i × %i takes %i px at the ratio %d', (width, height, shown, ratio) => {
  const [block] = layoutOf([picture(width, height)]);
  expect(block?.style).toEqual({ width: shown, aspectRatio: ratio });
});

test('a picture without a size, one that was refused, and what no browser shows are cards of one height', () => {
  const files = [
    file('image/png'),
    file('image/png', { width: 4, height: 3, state: 'refused' }),
    file('image/svg+xml', { width: 4, height: 3 }),
    file('text/html'),
  ];
  for (const { kind, style } of layoutOf(files)) expect([kind, style]).toEqual(['file', { height: 58 }]);
});

test.each(['image/svg+xml', 'text/html', 'application/pdf', 'video/quicktime', 'image/heic'])(
  '%s is only downloaded',
  (type) => {
    expect(kindOf({ type })).toBe('file');
  },
);
