import { describe, expect, test } from 'vitest';
import type { Emoji } from './emoji-data.ts';
import { type GridRow, moveInGrid, sectionRows } from './picker-rows.ts';
import { type Edge, placeBeside } from './place-beside.ts';

const emoji = (count: number): Emoji[] =>
  Array.from({ length: count }, (_, index) => {
    return { emoji: String(index), label: '', codes: [], tags: [], hasTones: false };
  });
/** Two sections: a row of two, then rows of three, three and one. */
const rows: readonly GridRow[] = [...sectionRows(emoji(2), 3), ...sectionRows(emoji(7), 3)];

describe('arrow keys in the grid', () => {
  test('a section begins with a row of its own', () => {
    expect(rows.map((row) => row.length)).toEqual([2, 3, 3, 1]);
  });

  test.each([
    ['ArrowRight', [0, 0], [0, 1]],
    ['ArrowRight', [0, 1], [1, 0]],
    ['ArrowLeft', [1, 0], [0, 1]],
    ['ArrowDown', [1, 2], [2, 2]],
    ['ArrowDown', [2, 2], [3, 0]],
    ['ArrowUp', [1, 2], [0, 1]],
    ['PageDown', [0, 1], [3, 0]],
    ['PageUp', [3, 0], [0, 0]],
  ] as const)('%s moves from %j to %j', (key, [row, column], [toRow, toColumn]) => {
    expect(moveInGrid(rows, { row, column }, key)).toEqual({ row: toRow, column: toColumn });
  });

  test.each([
    ['ArrowLeft', 0],
    ['ArrowUp', 0],
    ['ArrowRight', 3],
    ['ArrowDown', 3],
    ['a', 1],
  ] as const)('%s moves nowhere from row %i', (key, row) => {
    expect(moveInGrid(rows, { row, column: 0 }, key)).toBeNull();
  });
});

describe('the place beside what it was opened from', () => {
  const at = (top: number, right: number, edge: Edge = 'right') =>
    placeBeside({ top, bottom: top + 30, left: right - 30, right }, edge, {
      innerWidth: 1200,
      innerHeight: 800,
    });

  test('is above it where there is space, else below', () => {
    expect(at(700, 1000)).toEqual({ left: 636, top: 274 });
    expect(at(100, 1000)).toEqual({ left: 636, top: 136 });
  });

  test('is in line with its right or its left edge', () => {
    expect(at(700, 400).left).toBe(36);
    expect(at(700, 400, 'left').left).toBe(370);
  });

  test('is always within the window', () => {
    expect(at(420, 20)).toEqual({ left: 6, top: 374 });
    expect(at(700, 1300).left).toBe(830);
    expect(at(700, 1190, 'left').left).toBe(830);
  });
});
