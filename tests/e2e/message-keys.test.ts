/** The keys on a message that was reached by keyboard, and where the focus is after each of them. */
import { expect, test } from 'vitest';
import { holder, pressOn } from './message-focus.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

onStage('keys on a message', (stage) => {
  test('each key does its own, and leaves the focus where one can go on', async () => {
    const { ann, bo } = await two(stage, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const { page } = ann;
    const { keyboard } = page;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    for (const text of ['one', 'two', 'three']) await ann.say(text);
    await soon(() => ann.contents()).toEqual(['one', 'two', 'three']);
    const editor = page.getByRole('textbox', { name: 'Edit message' });

    // Edit: saved and left, the focus is on the message again.
    await pressOn(ann, 'one', 'e');
    await soon(() => holder(ann)).toBe('Edit message');
    await keyboard.press('Escape');
    await soon(() => holder(ann)).toBe('one');
    await keyboard.press('e');
    await editor.fill('first');
    await keyboard.press('Enter');
    await soon(() => holder(ann)).toBe('first');
    await soon(() => bo.contents()).toEqual(['first', 'two', 'three']);

    // Whatever stays on the message leaves the focus on it, so keys follow each other.
    await keyboard.press('p');
    await keyboard.press('s');
    await keyboard.press('c');
    await soon(copied).toBe('first');
    await keyboard.press('l');
    await soon(copied).toMatch(/\/rooms\/\d+\/m\/\d+$/);
    expect(await holder(ann)).toBe('first');
    await bo.page.getByText('Pinned', { exact: true }).waitFor();

    // The picker gives the focus back, with an emoji or without one.
    for (const end of ['Escape', 'Enter']) {
      await keyboard.press('+');
      await page.getByTestId('emoji-picker').getByRole('gridcell').first().waitFor();
      if (end === 'Enter') {
        await keyboard.type('pizza');
        await soon(() => page.getByRole('gridcell').count()).toBe(1);
      }
      await keyboard.press(end);
      await soon(() => holder(ann)).toBe('first');
    }
    await soon(() => bo.page.getByTestId('reaction').allTextContents()).toEqual(['🍕1']);

    // One's own, taken back by its chip.
    await keyboard.press('Tab');
    for (let stops = 0; stops < 6 && !(await holder(ann)).includes('🍕, '); stops++)
      await keyboard.press('Tab');
    await keyboard.press('Enter');
    await soon(() => page.getByTestId('reaction').count()).toBe(0);
    expect(await holder(ann)).toBe('first');

    // A reply is written in the composer, a thread in its own.
    await keyboard.press('r');
    await soon(() => holder(ann)).toBe('Message');
    await keyboard.press('Escape');
    expect(await page.getByTestId('reply-bar').count()).toBe(0);
    await pressOn(ann, 'two', 't');
    await soon(() => holder(ann)).toBe('Reply in this thread');
    await keyboard.press('Escape');
    await soon(() => holder(ann)).toBe('two');

    // Deleted and back: the arrows go on from there.
    await keyboard.press('Delete');
    await soon(() => holder(ann)).toMatch(/^This message was deleted/);
    await keyboard.press('Tab');
    expect(await holder(ann)).toBe('Undo');
    await keyboard.press('Enter');
    await soon(() => ann.contents()).toEqual(['first', 'two', 'three']);
    await soon(() => holder(ann)).toBe('two');
    await keyboard.press('ArrowDown');
    await soon(() => holder(ann)).toBe('three');

    // Unread from here, of what somebody else wrote.
    await bo.say('four');
    await ann.message('four').waitFor();
    await pressOn(ann, 'four', 'u');
    await soon(() => page.title()).toMatch(/^\(1\) /);
    expect(await holder(ann)).toBe('four');

    // Any other character is meant for the composer, and so are keys where they mean nothing.
    await keyboard.press('x');
    expect(await holder(ann)).toBe('Message');
    expect(await ann.composer.inputValue()).toBe('x');
    await ann.composer.fill('');
    await pressOn(ann, 'four', 'e');
    expect(await ann.composer.inputValue()).toBe('e');
    // Not empty: the arrow moves in the text. Empty: it edits the last own message.
    await keyboard.press('ArrowUp');
    expect(await editor.count()).toBe(0);
    await ann.composer.fill('');
    await keyboard.press('ArrowUp');
    await soon(() => editor.inputValue()).toBe('three');
    await keyboard.press('Escape');
    // A message that was clicked has no keys: what is typed goes to the composer.
    await ann.message('first').getByTestId('message-content').click();
    await keyboard.press('e');
    expect(await editor.count()).toBe(0);
    expect(await ann.composer.inputValue()).toBe('e');
  });
});
