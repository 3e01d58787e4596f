import type { MouseEvent } from 'react';

/** The click on a link that does this in place of the browser. With a key held, the browser opens a tab or a window. */
export function inThisTab(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go();
  };
}
