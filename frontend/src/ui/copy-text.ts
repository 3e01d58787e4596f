/** Puts a text on the clipboard; false when the browser refuses. To be called by what the user does. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http there is no clipboard to write to. What is selected can be copied all the same.
    return copySelected(text);
  }
}

/** Selects the text in a field of its own, copies it, and leaves focus and selection as they were. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  // What is marked within a field belongs to the field, and comes back with the focus.
  const selection = document.getSelection();
  const marked = selection !== null && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  const field = document.createElement('textarea');
  field.value = text;
  // No phone raises its keyboard for it.
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
