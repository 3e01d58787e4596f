import type { KeyboardEvent } from 'react';
import { openFence } from '../../../../protocol/markdown/fences.ts';

const EMPTY = { scrollHeight: 0, clientHeight: 0 };

type Key = KeyboardEvent<HTMLTextAreaElement>;

/** This key belongs to an input method that is composing. Older versions of Safari report key code 229 instead. */
export function isComposing(event: Key): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Enter begins a new line of code while a fence is open. With Ctrl or ⌘ it always sends. */
export function sends(event: Key): boolean {
  if (event.key !== 'Enter' || event.shiftKey) return false;
  const { value, selectionStart } = event.currentTarget;
  return event.ctrlKey || event.metaKey || !isInCode(value, selectionStart);
}

/** The direction in which a page key scrolls the messages; null for other keys, and where the text itself scrolls. */
export function pageStep(event: Key): -1 | 1 | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const step = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : null;
  // Measured for these keys alone.
  const { scrollHeight, clientHeight } = step === null ? EMPTY : event.currentTarget;
  return scrollHeight > clientHeight ? null : step;
}

/** Whether a new line at this place is one of fenced code: a fence before it is open. */
export function isInCode(text: string, place: number): boolean {
  return openFence(text.slice(0, place).split('\n')) !== null;
}
