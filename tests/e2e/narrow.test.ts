/** A phone: 390 pixels wide, driven by touch. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('a screen 390 wide', (stage) => {
  test('shows one pane at a time: the rooms, then the room, and back by button or gesture', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, context: PHONE });
    await ann.roomRow(room.name).waitFor();
    expect(await ann.composer.count()).toBe(0);

    await ann.roomRow(room.name).tap();
    await ann.isIn(room.name);
    await ann.rooms.waitFor({ state: 'hidden' });
    await ann.button('Back to rooms').tap();
    await ann.rooms.waitFor();
    expect(await ann.composer.count()).toBe(0);

    await ann.roomRow(room.name).tap();
    await ann.isIn(room.name);
    await ann.page.goBack();
    await ann.rooms.waitFor();
    expect(new URL(ann.page.url()).pathname).toBe('/');
  });

  test('a deep link opens the room, and its back button leads to the rooms', async () => {
    const { ann, room } = await phoneInRoom(stage);
    await ann.page.reload();
    await ann.isIn(room.name);
    await ann.button('Back to rooms').tap();
    await ann.roomRow(room.name).waitFor();
  });

  test('Enter makes a new line; the button sends', async () => {
    const { ann } = await phoneInRoom(stage);
    await ann.composer.tap();
    await ann.composer.pressSequentially('one');
    await ann.composer.press('Enter');
    await ann.composer.pressSequentially('two');
    expect(await ann.composer.inputValue()).toBe('one\ntwo');
    await ann.button('Send').tap();
    await soon(() => ann.messages.getByTestId('message-content').allInnerTexts()).toEqual(['one\ntwo']);
  });

  test('touch targets are 44 pixels high', async () => {
    const { ann, room } = await phoneInRoom(stage);
    await ann.say('a message');
    await ann.button('Send').tap();
    await ann.messages.waitFor();
    await expectReachable(ann);
    await ann.button('Back to rooms').tap();
    await ann.roomRow(room.name).waitFor();
    await expectReachable(ann);
    await ann.you.tap();
    await ann.button('Sign out').waitFor();
    await expectReachable(ann);
    await ann.button('Sign out').tap();
    await ann.isOutside();
    await expectReachable(ann);
  });

  test('the bar leads to rooms, inbox, threads and the account, and stands below these alone', async () => {
    const { ann, room } = await phoneInRoom(stage);
    const bar = ann.page.locator('[data-region=tabs]');
    expect(await bar.count()).toBe(0);
    await ann.button('Back to rooms').tap();
    for (const place of ['inbox', 'threads', 'settings', 'home']) {
      await ann.page.getByTestId(`${place}-place`).tap();
      await ann.page.getByTestId(`${place}-place`).and(ann.page.locator('[aria-current=page]')).waitFor();
    }
    await ann.roomRow(room.name).waitFor();
    await ann.you.tap();
    await ann.goToSection('Saved');
    await bar.waitFor({ state: 'detached' });
    await ann.button('Back').tap();
    await bar.waitFor();
  });

  test('the day that floats covers no name: it shows while the reader scrolls, and where it has its own place', async () => {
    const { ann } = await phoneInRoom(stage);
    for (let count = 0; count < 16; count++) {
      await ann.composer.fill(`message ${count}${'\nand more'.repeat(4)}`);
      await ann.button('Send').tap();
    }
    await soon(() => ann.page.getByTestId('message').count()).toBe(16);
    // The client alone has scrolled until now.
    expect(await ann.log.getAttribute('data-scrolling')).toBeNull();
    const day = ann.log.getByRole('heading', { name: 'Today' }).getByRole('button');
    const opacity = () => day.evaluate((button) => Number(getComputedStyle(button).opacity));
    await soon(opacity).toBe(0);
    await ann.log.evaluate((log) => log.scrollBy(0, -60));
    await soon(opacity).toBe(1);
    await soon(opacity).toBe(0);
    await ann.log.evaluate((log) => log.scrollTo(0, 0));
    await soon(() => ann.log.getAttribute('data-scrolling')).toBeNull();
    await soon(opacity).toBe(1);
  });

  test('nothing shows between a banner and the day beneath it, whether the banner has a button or not', async () => {
    await using proxy = await stage.proxy();
    const { ann } = await phoneInRoom(stage, proxy.url);
    ann.console.expect(UNREACHABLE);
    await ann.composer.fill('hello');
    await ann.button('Send').tap();
    await ann.message('hello').waitFor();
    await proxy.cut();
    await ann.button('Retry now').waitFor();
    const height = (await ann.banner.boundingBox())?.height ?? 0;
    // The day sticks 8 px beneath the space that is kept for the banner.
    const day = ann.log.getByRole('heading', { level: 2, name: 'Today' });
    expect(await day.evaluate((heading) => Number.parseFloat(getComputedStyle(heading).top))).toBe(
      height + 8,
    );
    // It is gone after 2 s, so the page itself looks for it.
    const recovered = ann.page.waitForFunction(
      () => document.querySelector('[data-banner=recovered]')?.getBoundingClientRect().height,
    );
    await proxy.restore();
    expect(await (await recovered).jsonValue()).toBe(height);
  });

  test('the search is at hand: it is a sheet as high as the screen but for its edge, finds people, and closes by its button', async () => {
    const bo = await stage.account('bo');
    const ann = await stage.seat({ login: await stage.account('ann'), context: PHONE });
    await ann.search.tap();
    // It moves into its place.
    const { width, height } = PHONE.viewport;
    const box = { x: 0, y: 24, width, height: height - 24 };
    await expect.poll(() => ann.switcher.boundingBox()).toMatchObject(box);
    await checkScreen(ann);
    await ann.switcher.getByRole('button', { name: 'Close' }).tap();
    await ann.switcher.waitFor({ state: 'hidden' });
    await ann.search.tap();
    await ann.switcher.getByRole('combobox').fill(bo.username);
    await ann.found(bo.username).tap();
    await ann.isIn(bo.username);
  });

  test('“+” leads to a message to a person', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), context: PHONE });
    await ann.new.tap();
    await ann.newItem('New message').waitFor();
    await checkScreen(ann);
    await ann.newItem('New message').tap();
    await ann.page.getByRole('dialog', { name: 'New message' }).waitFor();
  });

  test('what makes a room is a sheet at the lower edge, and the room is opened', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), context: PHONE });
    const name = uniqueName('room');
    await ann.new.tap();
    await ann.newItem('New room').tap();
    await expectWithin(ann.dialog, PHONE.viewport);
    const { x = 0, y = 0, width = 0, height = 0 } = (await ann.dialog.boundingBox()) ?? {};
    expect([x, width, y + height]).toEqual([0, PHONE.viewport.width, PHONE.viewport.height]);
    await expectWithin(ann.button('Create room'), PHONE.viewport);
    await ann.page.getByLabel('Room name').fill(name);
    await ann.button('Create room').tap();
    await ann.isIn(name);
  });
});

onStage('a window of 1280 × 800 at 200 % zoom', (stage) => {
  const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

  test('menu, dialogs and panel stay within the window, and all of them can be reached', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: ZOOMED });
    await ann.isIn(room.name);
    const { keyboard } = ann.page;
    const dialog = ann.page.locator('dialog[open]');
    for (const keys of ['Control+k', 'Control+/']) {
      await keyboard.press(keys);
      await expectWithin(dialog, ZOOMED.viewport);
      await keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await ann.page.locator('#people-button').click();
    await ann.page.getByTestId('person').waitFor();
    await keyboard.press('Escape');
    await ann.composer.waitFor();
    await ann.button('Back to rooms').click();
    await ann.you.click();
    await expectWithin(ann.page.locator('[data-region=tabs]'), ZOOMED.viewport);
    await ann.button('Sign out').click();
    await ann.isOutside();
    await ann.submit.scrollIntoViewIfNeeded();
    await expectWithin(ann.submit, ZOOMED.viewport);
  });
});

async function expectWithin(target: Locator, window: { width: number; height: number }): Promise<void> {
  await target.waitFor();
  await target.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const box = await target.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(Math.floor((box?.x ?? 0) + (box?.width ?? 0))).toBeLessThanOrEqual(window.width);
  expect(Math.floor((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(window.height);
}

async function phoneInRoom(stage: Stage, origin = stage.server.url) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE, origin });
  await ann.isIn(room.name);
  return { ann, room };
}
