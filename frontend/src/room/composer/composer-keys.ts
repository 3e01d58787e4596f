import type { KeyboardEvent } from 'react';
import { continueList, type TextEdit, toggleMark } from './text-edits.ts';

/** With Ctrl or ⌘, as everywhere else. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '*', e: '`' };

type Key = KeyboardEvent<HTMLTextAreaElement>;

/** This key picks a word of an input method (229 is what older Safari says instead). */
export function isComposing(event: Key): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Ctrl B, I and E set marks around the selection, and a new line goes on with a list. */
export function editByKey(event: Key): void {
  const field = event.currentTarget;
  const selection = { start: field.selectionStart, end: field.selectionEnd };
  const mark = markOf(event);
  const edit =
    mark !== null
      ? toggleMark(field.value, selection, mark)
      : event.key === 'Enter'
        ? continueList(field.value, selection)
        : null;
  if (edit === null) return;
  event.preventDefault();
  apply(field, edit);
}

function markOf(event: Key): string | null {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey || event.shiftKey) return null;
  return MARKS[event.key.toLowerCase()] ?? null;
}

function apply(field: HTMLTextAreaElement, { start, end, insert, select }: TextEdit): void {
  field.setSelectionRange(start, end);
  // Deprecated, and still the one way that an undo can take back.
  const done = document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert);
  if (!done) {
    field.setRangeText(insert, start, end, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(select.start, select.end);
}
