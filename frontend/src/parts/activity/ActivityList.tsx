import { type ReactNode, useEffect, useRef } from 'react';

/** The rows of the inbox, the followed threads, or the saved messages, with their keys. */
export function ActivityList({ children }: { readonly children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list);
  return <div ref={list}>{children}</div>;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
/** What takes such keys itself. */
const FIELDS = 'input, textarea, select, dialog, [popover]';

/**
 * `j`, `k` and the arrow keys move through the rows, and `e` is done with one, from wherever the focus is but in a
 * field or a dialog. In the sidebar the arrow keys move through its rooms.
 */
function useListKeys(list: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const isDone = event.key === 'e';
      if ((step === undefined && !isDone) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
        return;
      const { activeElement } = document;
      const isIn = list.current?.contains(activeElement) === true;
      const takesKey = event.key.startsWith('Arrow') ? `${FIELDS}, nav` : FIELDS;
      const isElsewhere = activeElement?.closest(takesKey) != null;
      if (isElsewhere || event.isComposing) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];
      const at = isIn ? links.indexOf(activeElement as HTMLElement) : -1;
      if (isDone && at >= 0) {
        event.preventDefault();
        doneWith(links, at);
        return;
      }
      const to = links[Math.max(0, at + (step ?? 0))];
      if (step === undefined) return;
      if (to === undefined) return;
      event.preventDefault();
      to.focus();
      to.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [list]);
}

/** Where the row disappears, the focus goes to its neighbour. */
function doneWith(links: readonly HTMLElement[], at: number): void {
  links[at]?.closest('li')?.querySelector<HTMLElement>('[data-done]')?.click();
  const neighbour = links[at + 1] ?? links[at - 1];
  requestAnimationFrame(() => {
    if (links[at]?.isConnected === false) neighbour?.focus();
  });
}
