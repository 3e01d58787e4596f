/** Puts a text on the clipboard; false when the browser refuses. Call it in response to a click or a key. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP there is no clipboard API, but a selection can be copied.
    return copySelected(text);
  }
}

/** Copies the text from a temporary field, and restores focus and selection. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  // A selection within a field belongs to the field, and returns with the focus.
  const selection = document.getSelection();
  const marked = selection !== null && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  const field = document.createElement('textarea');
  field.value = text;
  // A phone must not raise its keyboard for it.
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  if (marked !== null) {
    selection?.removeAllRanges();
    selection?.addRange(marked);
  }
  return done;
}
