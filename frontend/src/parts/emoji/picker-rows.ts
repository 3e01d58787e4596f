/** The grid of the picker: its sections as rows, and how the arrow keys move in it. */
import type { Emoji } from './emoji-data.ts';

export interface Section {
  readonly key: string;
  readonly title: string;
  readonly emoji: readonly Emoji[];
}

/** A place in the grid: an index of its rows, and one of the row's cells. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export type GridRow = readonly Emoji[];

/** The rows of a section, each with at most this many cells. */
export function sectionRows(emoji: readonly Emoji[], columns: number): readonly GridRow[] {
  const count = Math.ceil(emoji.length / columns);
  return Array.from({ length: count }, (_, row) => emoji.slice(row * columns, (row + 1) * columns));
}

/** Rows that Page Up and Page Down move by. */
const PAGE = 6;

/** Where a key moves to from here; null when it moves nowhere. Left and right go on in the next row. */
export function moveInGrid(rows: readonly GridRow[], { row, column }: Cell, key: string): Cell | null {
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowRight':
      if (column + 1 < widthOf(rows, row)) return { row, column: column + 1 };
      return row < last ? { row: row + 1, column: 0 } : null;
    case 'ArrowLeft':
      if (column > 0) return { row, column: column - 1 };
      return row > 0 ? { row: row - 1, column: widthOf(rows, row - 1) - 1 } : null;
    case 'ArrowDown':
      return row < last ? within(rows, row + 1, column) : null;
    case 'ArrowUp':
      return row > 0 ? within(rows, row - 1, column) : null;
    case 'PageDown':
      return within(rows, Math.min(row + PAGE, last), column);
    case 'PageUp':
      return within(rows, Math.max(row - PAGE, 0), column);
    default:
      return null;
  }
}

/** The cell of that column; the last one of a row that is shorter. */
function within(rows: readonly GridRow[], row: number, column: number): Cell {
  return { row, column: Math.min(column, widthOf(rows, row) - 1) };
}

function widthOf(rows: readonly GridRow[], row: number): number {
  return rows[row]?.length ?? 0;
}
