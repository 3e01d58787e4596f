/** The sheets of a phone: they stand at the lower edge, follow the finger down, and close past a threshold. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { Finger } from './finger.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

/** Each sheet: what opens it, in a room or beside it. */
const SHEETS: Readonly<Record<string, (ann: Person) => Promise<Locator>>> = {
  'the menu of a message': async (ann) => {
    const finger = await Finger.of(ann);
    await finger.downOn(ann, 'hold me');
    await ann.page.getByTestId('action-menu').waitFor();
    await finger.up();
    return ann.page.getByTestId('action-menu');
  },
  'the profile of a person': async (ann) => {
    await ann.message('hold me').getByRole('button').first().tap();
    await ann.button('Your notes').waitFor();
    return ann.page.getByTestId('profile');
  },
  'what sets the status': async (ann) => {
    await ann.button('Back to rooms').tap();
    await ann.you.tap();
    await ann.button('Set a status').tap();
    return ann.page.getByTestId('status');
  },
  'the emoji picker': async (ann) => {
    await ann.button('Emoji').tap();
    await ann.page.getByRole('gridcell').first().waitFor();
    return ann.page.getByTestId('emoji-picker');
  },
  'the switcher': async (ann) => {
    await ann.button('Back to rooms').tap();
    await ann.search.tap();
    await ann.page.getByRole('option').first().waitFor();
    return ann.switcher;
  },
  'the menu of what can be made': async (ann) => {
    await ann.button('Back to rooms').tap();
    await ann.new.tap();
    await ann.newItem('New room').waitFor();
    return ann.page.getByRole('menu', { name: 'New' });
  },
  'what makes a room': async (ann) => {
    await ann.button('Back to rooms').tap();
    await ann.new.tap();
    await ann.newItem('New room').tap();
    return ann.dialog;
  },
};

onStage('the sheets of a phone', (stage) => {
  for (const [name, open] of Object.entries(SHEETS)) {
    test(`${name} follows the finger: it returns from a short pull and closes with a long one`, async () => {
      const ann = await atRoom(stage);
      const finger = await Finger.of(ann);
      const sheet = await open(ann);
      await expectReachable(ann);
      const top = await topOf(sheet);
      await finger.down(sheet.locator('[data-grip]'));
      for (const up of [-12, -20, -20]) await finger.move(up);
      expect(await topOf(sheet)).toBe(top + 42);
      await finger.up({ rested: true });
      await soon(() => topOf(sheet)).toBe(top);
      await checkScreen(ann);
      await ann.page.setViewportSize(PHONE.viewport);
      await soon(() => topOf(sheet)).toBe(top);
      await finger.down(sheet.locator('[data-grip]'));
      for (const up of [-12, -100, -100]) await finger.move(up);
      await finger.up({ rested: true });
      await sheet.waitFor({ state: 'hidden' });
    });
  }

  test('a fling closes it from a short distance, and the focus goes back to what opened it', async () => {
    const ann = await atRoom(stage);
    const finger = await Finger.of(ann);
    const sheet = await open('the menu of what can be made', ann);
    await finger.down(sheet.locator('[data-grip]'));
    for (const up of [-12, -20, -20]) await finger.move(up);
    await finger.up();
    await sheet.waitFor({ state: 'hidden' });
    await soon(() => ann.new.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('a list within it that is scrolled is scrolled back first; at its beginning it pulls the sheet', async () => {
    const ann = await atRoom(stage);
    const finger = await Finger.of(ann);
    const sheet = await open('the emoji picker', ann);
    const top = await topOf(sheet);
    const grid = sheet.getByRole('grid');
    await grid.evaluate((box) => box.scrollTo({ top: 400 }));
    await finger.down(grid);
    for (const up of [-20, -60, -60, -60]) await finger.move(up);
    expect(await topOf(sheet)).toBe(top);
    await finger.up({ rested: true });
    await grid.evaluate((box) => box.scrollTo({ top: 0 }));
    await finger.down(grid);
    for (const up of [-20, -60, -60, -60]) await finger.move(up);
    expect(await topOf(sheet)).toBe(top + 190);
    await finger.up({ rested: true });
    await sheet.waitFor({ state: 'hidden' });
  });

  test('with reduced motion it closes and returns at once; Escape and a tap beside it close it, too', async () => {
    const ann = await atRoom(stage);
    await ann.page.emulateMedia({ reducedMotion: 'reduce' });
    const finger = await Finger.of(ann);
    let sheet = await open('the emoji picker', ann);
    const top = await topOf(sheet);
    await finger.down(sheet.locator('[data-grip]'));
    for (const up of [-12, -40]) await finger.move(up);
    await finger.up({ rested: true });
    expect(await topOf(sheet)).toBe(top);
    expect(await ann.page.evaluate(() => document.getAnimations().length)).toBe(0);
    await finger.down(sheet.locator('[data-grip]'));
    for (const up of [-12, -100, -100]) await finger.move(up);
    await finger.up({ rested: true });
    await sheet.waitFor({ state: 'hidden' });
    sheet = await open('the emoji picker', ann);
    await ann.page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    sheet = await open('the emoji picker', ann);
    await ann.page.touchscreen.tap(195, 20);
    await sheet.waitFor({ state: 'hidden' });
  });

  test('on a wide screen there is nothing to pull', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    await ann.button('Emoji').click();
    await ann.page.getByRole('gridcell').first().waitFor();
    expect(await ann.page.locator('[data-grip]').count()).toBe(0);
  });
});

function open(name: keyof typeof SHEETS, ann: Person): Promise<Locator> {
  const opens = SHEETS[name];
  if (opens === undefined) throw new Error(`there is no ${name}`);
  return opens(ann);
}

/** Where its upper edge is, once it has come up. */
async function topOf(sheet: Locator): Promise<number> {
  return await sheet.evaluate(async (element) => {
    await Promise.all(element.getAnimations().map(({ finished }) => finished));
    return Math.round(element.getBoundingClientRect().top);
  });
}

/** Ann on a phone, in a room with one message. */
async function atRoom(stage: Stage): Promise<Person> {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
  await ann.isIn(room.name);
  await ann.composer.fill('hold me');
  await ann.button('Send').tap();
  await ann.message('hold me').waitFor();
  return ann;
}
