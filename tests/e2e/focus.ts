/** Where the focus is, and how it gets elsewhere without a pointer. */
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** More stops than any screen has. */
const STOPS = 40;

/** The name of what has the focus, as it is announced: its label, or what it says. */
export async function focused(person: Person): Promise<string> {
  return await person.page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return '';
    const labels = element instanceof HTMLInputElement ? element.labels : null;
    const shown = element.cloneNode(true) as HTMLElement;
    for (const hidden of shown.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    const said = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? shown.textContent;
    return (said ?? '').trim();
  });
}

/** The part of the window that has the focus. */
export async function region(person: Person): Promise<string> {
  return await person.page.evaluate(() => {
    const box = document.activeElement?.closest<HTMLElement>('[data-region], [role=log]');
    return box?.dataset.region ?? (box === null || box === undefined ? '' : 'timeline');
  });
}

/** Presses Tab until this has the focus. */
export async function tabTo(person: Person, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < STOPS; stop++) {
    const here = await focused(person);
    if (typeof name === 'string' ? here === name : name.test(here)) return;
    passed.push(here);
    await person.page.keyboard.press('Tab');
  }
  expect.fail(`Tab does not lead to ${name}; it leads to ${passed.join(' → ')}`);
}
