/** The people in a room: count and avatars in the header, the panel, and the link that invites others. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { addMember, createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

onStage('who is here', (stage) => {
  test('the panel lists everyone, the user first, and follows joins and leaves', async () => {
    // Every new user joins the room that was made first.
    await createRoom(stage.server, await stage.account('cy'));
    const { ann, login, room } = await inRoom(stage);
    const [zoe, bo] = [await stage.account('zoe'), await stage.account('Bo')];
    await ChatClient.enter(stage.server, zoe, room.id);
    const bosLine = await ChatClient.enter(stage.server, bo, room.id);
    await soon(() => ann.onlineCount.textContent()).toBe('3 online');
    await peopleButton(ann).click();
    expect(await peopleButton(ann).getAttribute('aria-expanded')).toBe('true');
    await soon(() => names(ann)).toEqual([login.username, bo.username, zoe.username]);
    await checkScreen(ann);
    await bosLine.close();
    await soon(() => names(ann)).toEqual([login.username, zoe.username]);
    // Only members are listed beyond those who are here.
    const absent = panel(ann).getByTestId('absent-person');
    expect(await absent.count()).toBe(0);

    await addMember(stage.server, login, room.id, bo.userId);
    await ann.page.reload();
    await soon(() => absent.allTextContents()).toEqual([expect.stringContaining(bo.username)]);
    await soon(() => names(ann)).toEqual([login.username, zoe.username]);
    await panel(ann).getByRole('button', { name: 'Close' }).click();
    await panel(ann).waitFor({ state: 'hidden' });
    expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${room.id}`);
  });

  test('a user leaves the room while the page is hidden, and is back when it is shown again', async () => {
    const { ann, room } = await inRoom(stage);
    const bo = await stage.seat({ login: await stage.account('bo'), path: `/rooms/${room.id}` });
    await soon(() => ann.onlineCount.textContent()).toBe('2 online');
    const show = (state: 'hidden' | 'visible') =>
      bo.page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await show('hidden');
    await soon(() => ann.onlineCount.textContent()).toBe('1 online');
    await show('visible');
    await soon(() => ann.onlineCount.textContent()).toBe('2 online');
    await soon(() => bo.onlineCount.textContent()).toBe('2 online');
  });

  test('the panel stays open from room to room', async () => {
    const { ann, login } = await inRoom(stage);
    const other = await createRoom(stage.server, login);
    await ann.refreshRooms();
    await peopleButton(ann).click();
    await soon(() => names(ann)).toEqual([login.username]);
    await ann.openRoom(other.name);
    await soon(() => names(ann)).toEqual([login.username]);
  });

  test('on a phone the panel is a page, left by button or back gesture', async () => {
    const { ann, login, room } = await inRoom(stage, PHONE);
    await peopleButton(ann).tap();
    await soon(() => names(ann)).toEqual([login.username]);
    await ann.composer.waitFor({ state: 'hidden' });
    await ann.page.goBack();
    await ann.composer.waitFor();
    await peopleButton(ann).tap();
    await panel(ann).getByRole('button', { name: 'Back', exact: true }).tap();
    await ann.composer.waitFor();
    await soon(() => focusedId(ann)).toBe('people-button');
    expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${room.id}`);
  });

  test('by keys: the panel takes the focus, Escape closes it, and the focus returns to what opened it', async () => {
    const { ann } = await inRoom(stage);
    await peopleButton(ann).focus();
    await ann.page.keyboard.press('Enter');
    await panel(ann).waitFor();
    const close = panel(ann).getByRole('button', { name: 'Close' });
    await soon(() => close.evaluate((button) => button === document.activeElement)).toBe(true);
    await ann.page.keyboard.press('Escape');
    await panel(ann).waitFor({ state: 'hidden' });
    await soon(() => focusedId(ann)).toBe('people-button');
  });

  test('the link is copied over plain HTTP, too, and the focus stays', async () => {
    const { ann } = await inRoom(stage);
    await ann.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await openAbout(ann);
    await copyLink(ann).focus();
    await ann.page.keyboard.press('Enter');
    await ann.page.getByText('Link copied').waitFor({ state: 'attached' });
    expect(await ann.page.evaluate(() => document.activeElement?.textContent)).toBe('Copy invite link');
    await ann.composer.focus();
    await ann.page.keyboard.press('Control+v');
    await soon(() => ann.composer.inputValue()).toMatch(/\/invite\/[\w-]+$/);
  });

  test('a selection on the page survives copying the link', async () => {
    const { ann, room } = await inRoom(stage);
    await ann.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await openAbout(ann);
    await copyLink(ann).focus();
    await ann.page.evaluate(() =>
      document.getSelection()?.selectAllChildren(document.querySelector('h1') as Element),
    );
    await ann.page.keyboard.press('Enter');
    await ann.page.getByText('Link copied').waitFor({ state: 'attached' });
    expect(await ann.page.evaluate(() => document.getSelection()?.toString())).toBe(room.name);
  });

  test('the copied link leads others into the room', async () => {
    const { ann, room } = await inRoom(stage);
    await ann.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openAbout(ann);
    await copyLink(ann).click();
    await ann.page.getByText('Link copied').waitFor({ state: 'attached' });
    const link = await ann.page.evaluate(() => navigator.clipboard.readText());
    const bo = await stage.seat({ login: await stage.account('bo'), path: new URL(link).pathname });
    await bo.button('Join room').click();
    await bo.isIn(room.name);
  });
});

/** In the settings of the room. The empty room offers the same. */
function copyLink({ page }: Person): Locator {
  return page.locator('[data-region=people]').getByRole('button', { name: 'Copy invite link' });
}

async function inRoom(stage: Stage, context = {}) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context });
  await ann.isIn(room.name);
  return { ann, login, room };
}

async function openAbout(person: Person): Promise<void> {
  await person.page.getByRole('heading', { level: 1 }).getByRole('button').click();
}

function panel(person: Person) {
  return person.page.getByRole('region', { name: "Who's here" });
}

function peopleButton(person: Person) {
  return person.page.locator('#people-button');
}

async function names(person: Person): Promise<string[]> {
  return await panel(person)
    .getByTestId('person')
    .evaluateAll((rows) => rows.map((row) => row.children[1]?.textContent ?? ''));
}

async function focusedId(person: Person): Promise<string> {
  return await person.page.evaluate(() => document.activeElement?.id ?? '');
}
