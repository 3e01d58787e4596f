/** The button with the user's own avatar, at the foot of the sidebar. Null on a phone, where there is none. */
export function meButton(): Element | null {
  const button = document.querySelector('[popovertarget=me-menu]');
  return button?.checkVisibility() ? button : null;
}
