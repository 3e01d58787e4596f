/** Which long messages are shown whole while the room is open. A row may leave the document and return meanwhile. */
import { createContext } from 'react';

/** Makes a change to the document that leaves the element where it stood. */
type Keep = (element: Element, change: () => void) => void;

interface Folds {
  /** The keys of the rows. */
  readonly opened: Set<string>;
  readonly keep: Keep;
}

export const FoldsContext = createContext<Folds>({
  opened: new Set(),
  keep: (_element, change) => change(),
});

/** Whether the content takes more than `lines` lines of `columns` characters. */
export function isLongerThan(content: string, lines: number, columns: number): boolean {
  let count = 0;
  for (const line of content.split('\n')) {
    count += 1 + Math.floor(line.length / columns);
    if (count > lines) return true;
  }
  return false;
}
