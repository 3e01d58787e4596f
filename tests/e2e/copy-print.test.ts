/** What leaves the page: copied messages, and a printed room. And the clock of the browser's region. */
import { expect, test } from 'vitest';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

onStage('what leaves the page', (stage) => {
  test('copied messages are their texts, with author and time where there are several; times are those of the region', async () => {
    const german = { locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] };
    const { ann, bo, other } = await two(stage, { context: german, stored: { chat_language: 'en' } });
    for (const text of ['1. one\n2. two', '```js\nlet a = 1;\n```', '- a\n  - b\n- c', 'liked **a lot**']) {
      await bo.say(text);
      await bo.composer.press('Control+Enter');
      await soon(() => bo.composer.inputValue()).toBe('');
    }
    await ann.message('liked').waitFor();
    await ann.message('liked').hover();
    await ann.button('React with 👍').click();
    await ann.page.getByTestId('reaction').waitFor();
    await ann.message('let a').getByTestId('code-block').waitFor();
    const time = '\\d\\d:\\d\\d';
    expect(await ann.page.locator('[data-row=message] time').first().textContent()).toMatch(/^\d\d:\d\d$/);

    const head = `${other.username} ${time}\n`;
    expect(await copy(ann, 0, 3)).toMatch(
      new RegExp(
        `^${head}1\\. one\n2\\. two\n\n${head}let a = 1;\n\n${head}- a\n  - b\n- c\n\n${head}liked a lot$`,
      ),
    );
    // One alone, and a part of one.
    expect(await copy(ann, 0, 0)).toBe('1. one\n2. two');
    expect(await copy(ann, 1, 1)).toBe('let a = 1;');
    expect(await copy(ann, 3, 3)).toBe('liked a lot');
    await ann.message('liked').locator('strong').dblclick();
    await ann.page.keyboard.press('Control+c');
    await soon(() => clipboard(ann)).toBe('lot');
    // The text of a field is the field's.
    await ann.composer.fill('a draft');
    await ann.composer.press('Control+a');
    await ann.page.keyboard.press('Control+c');
    await soon(() => clipboard(ann)).toBe('a draft');
  });

  test('a printed room has its messages on as many pages as they need, in light colours, and nothing else', async () => {
    const { ann } = await two(stage);
    for (let n = 0; n < 30; n++) await ann.say(`message ${n}\n\nwith a second line`);
    await soon(() => ann.messages.count()).toBe(30);
    await ann.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await ann.composer.isVisible()).toBe(false);
    expect(await ann.rooms.isVisible()).toBe(false);
    expect(await ann.page.locator('#people-button').isVisible()).toBe(false);
    expect(await ann.message('message 0').isVisible()).toBe(true);
    const scheme = () => getComputedStyle(document.documentElement).colorScheme;
    expect(await ann.page.evaluate(scheme)).toBe('light');
    const pdf = await ann.page.pdf({ format: 'A4' });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(6);
  });
});

const clipboard = ({ page }: Person) => page.evaluate(() => navigator.clipboard.readText());

/** Selects from the beginning of one message to the end of another, by index, and copies. */
async function copy(person: Person, from: number, to: number): Promise<string> {
  await person.page.evaluate(
    async ([first, last]) => {
      await navigator.clipboard.writeText('');
      (document.activeElement as HTMLElement | null)?.blur();
      const rows = document.querySelectorAll('[data-row=message]');
      const begin = rows[first]?.querySelector('[data-testid=message-content]');
      const end = rows[last];
      if (begin && end) getSelection()?.setBaseAndExtent(begin, 0, end, end.childNodes.length);
    },
    [from, to] as const,
  );
  await person.page.keyboard.press('Control+c');
  await soon(() => clipboard(person)).not.toBe('');
  return await clipboard(person);
}
