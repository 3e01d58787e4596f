/** Edits of a text that keys make. They load after the first paint. */
import type { KeyboardEvent } from 'react';
import { continueList, dropRepeatedMark, type TextEdit, toggleMark } from './text-edits.ts';

/** With Ctrl or ⌘, as everywhere else. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '*', e: '`' };

type Key = KeyboardEvent<HTMLTextAreaElement>;

/** Ctrl B, I and E set marks around the selection, and a new line continues a list. */
export function editByKey(event: Key): void {
  const field = event.currentTarget;
  const selection = { start: field.selectionStart, end: field.selectionEnd };
  const mark = markOf(event);
  const edit =
    mark !== null
      ? toggleMark(field.value, selection, mark)
      : event.key === 'Enter'
        ? continueList(field.value, selection)
        : event.key === ' '
          ? dropRepeatedMark(field.value, selection)
          : null;
  if (edit === null) return;
  event.preventDefault();
  applyEdit(field, edit);
}

function markOf(event: Key): string | null {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey || event.shiftKey) return null;
  return MARKS[event.key.toLowerCase()] ?? null;
}

/** Makes the edit in the field, so that undo can take it back. */
export function applyEdit(field: HTMLTextAreaElement, { start, end, insert, select }: TextEdit): void {
  field.setSelectionRange(start, end);
  // Deprecated, but still the only way to edit that undo can take back.
  const done = document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert);
  if (!done) {
    field.setRangeText(insert, start, end, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(select.start, select.end);
}
