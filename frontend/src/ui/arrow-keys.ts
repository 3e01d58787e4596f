import type { KeyboardEvent } from 'react';

const STEPS = {
  vertical: { ArrowDown: 1, ArrowUp: -1 },
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** Moves the focus between the buttons of a menu or a toolbar, around both ends; Home and End lead to the ends. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>, axis: keyof typeof STEPS): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const to = placeAfter(event.key, buttons.indexOf(document.activeElement as HTMLButtonElement), axis);
  if (to === null || buttons.length === 0) return;
  event.preventDefault();
  buttons.at(to === buttons.length ? 0 : to)?.focus();
}

/** The place that a key leads to from this one, which is -1 at none of them; null: it is no key of the list. */
function placeAfter(key: string, at: number, axis: keyof typeof STEPS): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return -1;
  const steps: Readonly<Record<string, number>> = STEPS[axis];
  const step = steps[key];
  if (step === undefined) return null;
  return step > 0 ? at + 1 : Math.max(at, 0) - 1;
}
