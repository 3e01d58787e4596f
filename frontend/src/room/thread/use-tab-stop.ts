import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const MESSAGES = '[data-row=message]';

/**
 * One Tab stop for all messages of a list: the one that had the focus last, else the last one. The arrows, Home and End
 * move it. `keys`: of the messages, in their order.
 */
export function useTabStop(keys: readonly string[]) {
  const [held, setHeld] = useState<string | null>(null);
  const stop = held !== null && keys.includes(held) ? held : keys.at(-1);

  function onFocus({ target }: FocusEvent): void {
    const key = target.closest<HTMLElement>(MESSAGES)?.dataset.key;
    if (key !== undefined) setHeld(key);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(MESSAGES)];
    const now = all.findIndex((message) => message.contains(document.activeElement));
    const next = nextOf(event.key, now === -1 ? all.findIndex(({ dataset }) => dataset.key === stop) : now);
    if (next === null) return;
    event.preventDefault();
    all.at(Math.min(next, all.length - 1))?.focus();
  }

  return { stop, onFocus, onKeyDown };
}

/** The place that a key leads to; null: it is no key of the list. */
function nextOf(key: string, now: number): number | null {
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, now - 1);
    case 'ArrowDown':
      return now + 1;
    case 'Home':
      return 0;
    case 'End':
      return Number.MAX_SAFE_INTEGER;
    default:
      return null;
  }
}
