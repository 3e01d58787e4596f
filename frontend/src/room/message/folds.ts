/** Which long messages are shown whole, for as long as the room is open: a row goes from the document and comes back. */
import { createContext, useLayoutEffect, useMemo, useRef } from 'react';

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

/** The same object all the time: nobody is drawn anew because of it. */
export function useFolds(opened: Set<string>, keep: Keep): Folds {
  const latest = useRef(keep);
  useLayoutEffect(() => {
    latest.current = keep;
  });
  return useMemo(() => ({ opened, keep: (element, change) => latest.current(element, change) }), [opened]);
}

/** In so many columns, this content has so many lines or more. */
export function isLongerThan(content: string, lines: number, columns: number): boolean {
  let count = 0;
  for (const line of content.split('\n')) {
    count += 1 + Math.floor(line.length / columns);
    if (count > lines) return true;
  }
  return false;
}
