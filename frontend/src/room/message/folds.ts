/** Which long messages are shown whole, for as long as the room is open: a row goes from the document and comes back. */
import { createContext } from 'react';

/** Makes a change of the document after which the element stands where it stood. */
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

/** In so many columns, this content has so many lines or more. */
export function isLongerThan(content: string, lines: number, columns: number): boolean {
  let count = 0;
  for (const line of content.split('\n')) {
    count += 1 + Math.floor(line.length / columns);
    if (count > lines) return true;
  }
  return false;
}
