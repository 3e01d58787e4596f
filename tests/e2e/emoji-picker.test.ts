/** The picker of emoji: by keyboard, by pointer, and on a phone. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { tabTo } from './focus.ts';
import type { Person } from './person.ts';
import type { Seat } from './seat.ts';
import { onStage, type Stage, soon } from './stage.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

onStage('emoji picker', (stage) => {
  test('by keyboard: a search and Enter put the best emoji where the caret is', async () => {
    const ann = await writer(stage);
    await ann.composer.fill('well done!');
    await ann.composer.press('Home');
    await tabTo(ann, 'Emoji');
    await ann.page.keyboard.press('Enter');
    await search(ann).waitFor();
    expect(await isFocused(ann)).toBe(true);
    await search(ann).pressSequentially('tada');
    await soon(() => active(ann)).toBe('party popper');
    await ann.page.keyboard.press('Enter');
    await soon(() => ann.composer.inputValue()).toBe('🎉well done!');
    expect(await picker(ann).count()).toBe(0);
    await ann.page.keyboard.type(' ');
    expect(await ann.composer.inputValue()).toBe('🎉 well done!');
    await ann.composer.press('Control+z');
    await ann.composer.press('Control+z');
    await soon(() => ann.composer.inputValue()).toBe('well done!');
  });

  test('arrow keys move in the grid while the focus stays in the search; Escape returns to the text', async () => {
    const ann = await writer(stage);
    await ann.button('Emoji').click();
    await search(ann).waitFor();
    for (const [key, label] of [
      ['ArrowDown', 'grinning face'],
      ['ArrowRight', 'grinning face with big eyes'],
      ['ArrowDown', 'melting face'],
      ['ArrowUp', 'grinning face with big eyes'],
      ['ArrowLeft', 'grinning face'],
    ] as const) {
      await ann.page.keyboard.press(key);
      await soon(() => active(ann)).toBe(label);
    }
    expect(await isFocused(ann)).toBe(true);
    await ann.page.keyboard.press('ArrowUp');
    await soon(() => search(ann).getAttribute('aria-activedescendant')).toBeNull();
    await ann.page.keyboard.press('Escape');
    await soon(() => picker(ann).count()).toBe(0);
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('what was picked last comes first, in the skin tone that was chosen, after a reload, too', async () => {
    const ann = await writer(stage);
    await ann.button('Emoji').click();
    await search(ann).fill('waving');
    await ann.page.getByRole('radio', { name: 'Dark', exact: true }).check({ force: true });
    await ann.page.getByRole('gridcell', { name: 'waving hand' }).click();
    await soon(() => ann.composer.inputValue()).toBe('👋🏿');
    await ann.page.reload();
    await ann.button('Emoji').click();
    const recent = picker(ann).getByRole('rowgroup', { name: 'Recently used' }).getByRole('gridcell');
    await soon(() => recent.allTextContents()).toEqual(['👋🏿']);
    // Axe takes minutes for all emoji.
    await search(ann).fill('wave');
    await checkScreen(ann);
  });

  test('what is typed before the emoji have arrived is searched for when they have', async () => {
    const ann = await writer(stage, undefined, { worker: false });
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await ann.page.route('**/_virtual_emoji-en*', async (route) => {
      await arrived;
      await route.continue();
    });
    await ann.button('Emoji').focus();
    await ann.page.keyboard.press('Enter');
    await ann.page.keyboard.type('pizza');
    expect(await search(ann).inputValue()).toBe('pizza');
    expect(await picker(ann).getByRole('gridcell').count()).toBe(0);
    arrive();
    await soon(() => active(ann)).toBe('pizza');
    await ann.page.keyboard.press('Enter');
    await soon(() => ann.composer.inputValue()).toBe('🍕');
  });

  test('a group is one press away, and nothing found says so', async () => {
    const ann = await writer(stage);
    await ann.button('Emoji').click();
    await ann.button('Food and drink').click();
    await picker(ann).getByRole('gridcell', { name: 'green apple' }).click();
    await soon(() => ann.composer.inputValue()).toBe('🍏');
    await ann.button('Emoji').click();
    await search(ann).fill('no such emoji');
    await soon(() => picker(ann).getByText('No emoji found').first().isVisible()).toBe(true);
    await search(ann).press('Enter');
    expect(await ann.composer.inputValue()).toBe('🍏');
  });

  test('on a phone it is a sheet, and its keyboard stays away until the search is pressed', async () => {
    const ann = await writer(stage, PHONE);
    await ann.button('Emoji').tap();
    await picker(ann).getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
    expect(await isFocused(ann)).toBe(false);
    const box = await picker(ann).boundingBox();
    expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))]).toEqual([0, 390, 844]);
    await picker(ann).getByRole('gridcell', { name: 'grinning face', exact: true }).tap();
    await soon(() => ann.composer.inputValue()).toBe('😀');
    // Where the caret was, though the finger was elsewhere since.
    for (const [start, end, wanted] of [
      [11, 11, 'hello world😀'],
      [6, 6, 'hello 😀world'],
      [5, 11, 'hello😀'],
    ] as const) {
      await ann.composer.fill('hello world');
      await select(ann.composer, start, end);
      await ann.button('Emoji').tap();
      await picker(ann).getByRole('gridcell', { name: 'grinning face', exact: true }).first().tap();
      await soon(() => ann.composer.inputValue()).toBe(wanted);
    }
    // A draft of the last visit ends where one goes on.
    await ann.composer.fill('hello');
    await ann.page.reload();
    await ann.button('Emoji').tap();
    await picker(ann).getByRole('gridcell', { name: 'grinning face', exact: true }).first().tap();
    await soon(() => ann.composer.inputValue()).toBe('hello😀');
  });

  test('by pointer it comes where the caret is, in place of what is selected, and several in their order', async () => {
    const ann = await writer(stage);
    const { composer } = ann;
    const choose = async (name: string) => {
      await ann.button('Emoji').click();
      await search(ann).fill(name);
      await picker(ann).getByRole('gridcell', { name }).first().waitFor();
      await search(ann).press('Enter');
      await soon(() => picker(ann).count()).toBe(0);
    };
    await ann.button('Emoji').waitFor();
    for (const [start, end, wanted] of [
      [11, 11, 'hello world🚀🎉!'],
      [6, 6, 'hello 🚀🎉!world'],
      [0, 0, '🚀🎉!hello world'],
      [5, 11, 'hello🚀🎉!'],
    ] as const) {
      await composer.fill('hello world');
      await select(composer, start, end);
      await choose('rocket');
      await choose('party popper');
      await ann.page.keyboard.type('!');
      await soon(() => composer.inputValue()).toBe(wanted);
    }
    // By a click in the grid, too.
    await composer.fill('hello world');
    await select(composer, 6, 6);
    await ann.button('Emoji').click();
    await picker(ann).getByRole('gridcell', { name: 'grinning face', exact: true }).first().click();
    await soon(() => composer.inputValue()).toBe('hello 😀world');
    // The caret is where it was after this and every other dialog that was left.
    await composer.fill('hello world');
    for (const open of [
      () => ann.button('Emoji').click(),
      () => ann.page.keyboard.press('Control+k'),
      () => ann.page.keyboard.press('Control+/'),
    ]) {
      await select(composer, 2, 5);
      await open();
      await ann.page.locator('dialog[open]').waitFor();
      await ann.page.keyboard.press('Escape');
      await soon(() => composer.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await selection(composer)).toEqual([2, 5]);
    }
  });
});

async function select(field: Locator, start: number, end: number): Promise<void> {
  await field.focus();
  await field.evaluate((box: HTMLTextAreaElement, [from, to]) => box.setSelectionRange(from, to), [
    start,
    end,
  ] as const);
}

async function selection(field: Locator): Promise<readonly number[]> {
  return await field.evaluate((box: HTMLTextAreaElement) => [box.selectionStart, box.selectionEnd]);
}

async function writer(stage: Stage, context?: typeof PHONE, seat: Seat = {}): Promise<Person> {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, ...(context && { context }), ...seat });
  await ann.isIn(room.name);
  return ann;
}

const picker = (person: Person) => person.page.getByTestId('emoji-picker');
const search = (person: Person) => person.page.getByRole('combobox', { name: 'Search emoji' });

/** The label of the cell that a screen reader reads. */
async function active(person: Person): Promise<string | null> {
  const id = await search(person).getAttribute('aria-activedescendant');
  return id === null ? null : await person.page.locator(`[id="${id}"]`).getAttribute('aria-label');
}

async function isFocused(person: Person): Promise<boolean> {
  return await search(person).evaluate((input) => input === document.activeElement);
}
