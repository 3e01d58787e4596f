import type { KeyboardEvent } from 'react';
import { continueList, dropRepeatedMark, isInCode, type TextEdit, toggleMark } from './text-edits.ts';

/** With Ctrl or ⌘, as everywhere else. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '*', e: '`' };

type Key = KeyboardEvent<HTMLTextAreaElement>;

/** This key belongs to an input method that is composing. Older versions of Safari report key code 229 instead. */
export function isComposing(event: Key): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Enter begins a new line of code while a fence is open. With Ctrl or ⌘ it always sends. */
export function sends(event: Key): boolean {
  if (event.key !== 'Enter' || event.shiftKey) return false;
  const { value, selectionStart: start, selectionEnd: end } = event.currentTarget;
  return event.ctrlKey || event.metaKey || !isInCode(value, { start, end });
}

/** The direction in which a page key scrolls the messages; null for other keys, and where the text itself scrolls. */
export function pageStep(event: Key): -1 | 1 | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const { scrollHeight, clientHeight } = event.currentTarget;
  if (scrollHeight > clientHeight) return null;
  return event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : null;
}

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
