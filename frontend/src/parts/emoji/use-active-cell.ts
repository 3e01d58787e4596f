import { type KeyboardEvent, useState } from 'react';
import type { Emoji } from './emoji-data.ts';
import { type Cell, type GridRow, moveInGrid } from './picker-rows.ts';

/** The keys that lead from the search field into the grid. */
const ENTERS_GRID = new Set(['ArrowDown', 'ArrowRight', 'PageDown']);

interface ActiveCellOptions {
  readonly rows: readonly GridRow[];
  /** The text of the search field, which has the focus. */
  readonly query: string;
  readonly onPick: (emoji: Emoji) => void;
}

/** The cell that Enter picks, and the keys of the search field that move it. */
export function useActiveCell({ rows, query, onPick }: ActiveCellOptions) {
  /** Null: none yet; then Enter picks the first of what was found. */
  const [active, setActive] = useState<Cell | null>(null);
  const at = active ?? (query.trim() === '' ? null : { row: 0, column: 0 });
  const current = at === null ? undefined : rows[at.row]?.[at.column];

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    // In the text that is searched for, they move the caret.
    if (isSideways && query !== '' && active === null) return;
    if (event.key === 'Enter') {
      if (current !== undefined) onPick(current);
    } else if (at === null) {
      if (!ENTERS_GRID.has(event.key)) return;
      setActive({ row: 0, column: 0 });
    } else if (event.key === 'ArrowUp' && at.row === 0) {
      // Back to the text.
      setActive(null);
    } else {
      const next = moveInGrid(rows, at, event.key);
      if (next !== null) setActive(next);
      else if (!event.key.startsWith('Arrow')) return;
    }
    event.preventDefault();
  }

  return { at, current, setActive, onKeyDown };
}
