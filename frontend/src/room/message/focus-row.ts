/** Gives the focus to the message around a button that is about to go, so that keys go on from there. */
export function focusRow(button: Element): void {
  button.closest<HTMLElement>('[data-row=message]')?.focus({ preventScroll: true });
}
