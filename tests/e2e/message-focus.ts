/** Keys on a message, as they are pressed by who reaches it by keyboard. */
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** Gives the focus to the message with this text, and presses a key. */
export async function pressOn(person: Person, content: string, key: string): Promise<void> {
  const { keyboard } = person.page;
  const message = person.message(content).last();
  const isThere = () => message.evaluate((element) => element === document.activeElement);
  await message.focus();
  // The keys of a message work once one has moved to it by keyboard. The first message stays where it is.
  await keyboard.press('ArrowUp');
  if (!(await isThere())) await keyboard.press('ArrowDown');
  expect(await isThere()).toBe(true);
  await keyboard.press(key);
}

/** What has the focus: the text of a message, the name of a field or button, or "nothing". */
export async function holder({ page }: Person): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'nothing';
    const content = element.matches('[data-row=message]')
      ? element.querySelector('[data-testid=message-content], [data-testid=deleted-message]')
      : null;
    return content?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? '';
  });
}
