/** Keys on a message, as they are pressed by who reaches it by keyboard. */
import type { Person } from './person.ts';

/** Gives the focus to the message with this text, and presses a key. */
export async function pressOn(person: Person, content: string, key: string): Promise<void> {
  await person.composer.focus();
  // After a click, a focus that no key came before does not count as one by keyboard.
  await person.page.keyboard.press('Shift+Tab');
  await person.message(content).last().focus();
  await person.page.keyboard.press(key);
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
