import { isTouch } from '../stores/use-media.ts';

/**
 * Puts the focus back into a search once something that it found was taken: the button that took it may be gone, and
 * the next keys are for the next search. Not on a touch screen, where the keyboard would cover what was found.
 */
export function typeOn(search: HTMLInputElement | null): void {
  if (isTouch()) return;
  search?.focus();
  search?.select();
}
