/** The keys on a message that was reached by keyboard, and where the focus is after each of them. */
import { expect, test } from 'vitest';
import { holder, pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
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

    // Edit: left or saved, one goes on writing.
    await pressOn(ann, 'one', 'e');
    await soon(() => holder(ann)).toBe('Edit message');
    await keyboard.press('Escape');
    await soon(() => holder(ann)).toBe('Message');
    await pressOn(ann, 'one', 'e');
    await editor.fill('first');
    await keyboard.press('Enter');
    await soon(() => holder(ann)).toBe('Message');
    await soon(() => bo.contents()).toEqual(['first', 'two', 'three']);

    // Whatever stays on the message leaves the focus on it, so keys follow each other.
    await pressOn(ann, 'first', 'p');
    await keyboard.press('s');
    await keyboard.press('c');
    await soon(copied).toBe('first');
    await keyboard.press('l');
    await soon(copied).toMatch(/\/rooms\/\d+\/m\/\d+$/);
    expect(await holder(ann)).toBe('first');
    await bo.page.getByText('Pinned', { exact: true }).waitFor();

    // The picker gives the focus back, with an emoji or without one.
    for (const end of ['Escape', 'Enter']) {
      await pressOn(ann, 'first', '+');
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
    await pressOn(ann, 'first', 'r');
    await soon(() => holder(ann)).toBe('Message');
    await page.getByTestId('reply-bar').waitFor();
    await keyboard.press('Escape');
    expect(await page.getByTestId('reply-bar').count()).toBe(0);
    await pressOn(ann, 'two', 't');
    await soon(() => holder(ann)).toBe('Reply in this thread');
    await keyboard.press('Escape');
    await soon(() => holder(ann)).toBe('two');

    // Deleted and back: the arrows go on from there.
    await pressOn(ann, 'two', 'Delete');
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

  test('after an edit, however it began and ended, one goes on writing where one was: no word is a command', async () => {
    const { ann, bo } = await two(stage, CLIPBOARD);
    const { page } = ann;
    const { keyboard } = page;
    await page.evaluate(() => navigator.clipboard.writeText('untouched'));
    await ann.say('a typo');
    await bo.message('a typo').waitFor();
    // Only what is confirmed can be edited, and others may have it before its author knows.
    await ann.message('a typo').waitFor();
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    const begin = {
      key: () => keyboard.press('ArrowUp'),
      pencil: async () => {
        await ann.message('a typo').hover();
        await ann.message('a typo').getByRole('button', { name: 'Edit', exact: true }).click();
      },
      menu: async () => {
        await ann.message('a typo').hover();
        await ann.button('More').click();
        await ann.button('Edit E').click();
      },
    };
    const end = {
      enter: () => keyboard.press('Enter'),
      escape: () => keyboard.press('Escape'),
      save: () => ann.button('Save').click(),
      cancel: () => ann.button('Cancel').click(),
    };
    const ways = Object.values(begin).flatMap((open) => Object.values(end).map((close) => ({ open, close })));
    for (const [index, { open, close }] of ways.entries()) {
      await open();
      await editor.press('End');
      await keyboard.type('!');
      await close();
      const words = SENTENCES[index % SENTENCES.length] ?? '';
      await keyboard.type(words);
      expect(await ann.composer.inputValue()).toBe(words);
      await ann.composer.fill('');
    }
    await soon(() => bo.contents()).toEqual(['a typo!!!!!!']);

    // In a thread one was in the thread.
    await pressOn(ann, 'a typo', 't');
    const field = page.getByRole('textbox', { name: 'Reply in this thread' });
    await field.fill('a reply');
    await field.press('Enter');
    await soon(() => bo.page.getByTestId('thread-line').textContent()).toContain('1 reply');
    const reply = page.getByTestId('thread-replies').getByTestId('message');
    await reply.waitFor();
    for (const close of [end.enter, end.escape]) {
      await keyboard.press('ArrowUp');
      await editor.press('End');
      await keyboard.type('!');
      await close();
      await keyboard.type('thanks');
      expect(await field.inputValue()).toBe('thanks');
      await field.fill('');
    }
    await field.press('Escape');
    await nothingDone(ann);
  });

  test('a message that gets the focus without a key that moves it has no keys: what is typed is text', async () => {
    const { ann, bo, room } = await two(stage, CLIPBOARD);
    const { page } = ann;
    const { keyboard } = page;
    await ann.say('here');
    await bo.message('here').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('untouched'));
    const id = await ann.message('here').getAttribute('data-message-id');
    const toast = page.getByTestId('toasts').getByRole('button', { name: 'Undo' });
    const ways: readonly (() => Promise<void>)[] = [
      // A link to the message.
      () => page.goto(`/rooms/${room.id}/m/${id}`).then(() => undefined),
      // The picker, and the end of a thread.
      async () => {
        await pressOn(ann, 'here', '+');
        await page.getByTestId('emoji-picker').waitFor();
        await keyboard.press('Escape');
      },
      async () => {
        await pressOn(ann, 'here', 't');
        await soon(() => holder(ann)).toBe('Reply in this thread');
        await keyboard.press('Escape');
      },
      // Undo, by its button in the message, and by that in the toast.
      async () => {
        await pressOn(ann, 'here', 'Delete');
        await soon(() => holder(ann)).toMatch(/^This message was deleted/);
        await keyboard.press('Tab');
        expect(await holder(ann)).toBe('Undo');
        await keyboard.press('Enter');
      },
      async () => {
        await pressOn(ann, 'here', 'Delete');
        await toast.focus();
        await keyboard.press('Enter');
      },
    ];
    for (const [index, open] of ways.entries()) {
      await open();
      await soon(() => holder(ann)).toBe('here');
      for (const words of SENTENCES.slice(index * 2, index * 2 + 2)) {
        await keyboard.type(words);
        expect(await ann.composer.inputValue()).toBe(words);
        await ann.composer.fill('');
        await ann.message('here').focus();
      }
    }
    // What was deleted has no keys, either.
    await pressOn(ann, 'here', 'Delete');
    await keyboard.type('later');
    expect(await ann.composer.inputValue()).toBe('later');
    await toast.click();
    await nothingDone(ann);
  });
});

const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };
/** Each begins with the key of a command. */
const SENTENCES = ['edit it', 'really?', 'thanks', 'please', 'soon', 'cool', 'let me see', 'unless', '+1'];

/** No command was carried out. */
async function nothingDone({ page }: Person): Promise<void> {
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('untouched');
  for (const part of ['editor', 'emoji-picker', 'reply-bar', 'thread-panel', 'action-menu'])
    await soon(() => page.getByTestId(part).count()).toBe(0);
  expect(await page.getByText('Pinned', { exact: true }).count()).toBe(0);
  expect(
    await page
      .getByTestId('toasts')
      .getByText(/Saved|unread/)
      .count(),
  ).toBe(0);
}
