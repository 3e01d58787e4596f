/** The quick switcher: to any room and any command by a few letters. */
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('the quick switcher', (stage) => {
  test('Ctrl K opens it from anywhere, a few letters and Enter lead to a room', async () => {
    const { ann, rooms } = await inRoom(stage);
    const { keyboard } = ann.page;
    await soon(() => focusedLabel(ann)).toBe('Message');
    await openSwitcher(ann);
    await keyboard.type(rooms.other.name.replace('-', ' ').toUpperCase());
    await soon(() => activeOption(ann)).toContain(rooms.other.name);
    await checkScreen(ann);
    await keyboard.press('Enter');
    await ann.isIn(rooms.other.name);
    await soon(() => focusedLabel(ann)).toBe('Message');
    expect(await switcher(ann).count()).toBe(0);
  });

  test('while the server is asked for people, nobody is offered whom the letters do not fit', async () => {
    const bo = await stage.account('bo');
    const { ann } = await inRoom(stage);
    await openSwitcher(ann);
    await ann.page.keyboard.type(bo.username);
    await soon(() => activeOption(ann)).toContain(bo.username);
    // It gets no response.
    await ann.page.route('**/api/v1/users?**', () => undefined);
    await ann.page.keyboard.press('Control+a');
    await ann.page.keyboard.type('zz');
    await soon(() => switcher(ann).getByText(bo.username).count()).toBe(0);
  });

  test('without a query unread rooms come first; arrows wrap around', async () => {
    const { ann, login, rooms } = await inRoom(stage);
    const unread = await createRoom(stage.server, login, uniqueName('unread'));
    const later = await createRoom(stage.server, login, uniqueName('later'));
    await ann.page.reload();
    await ann.isIn(rooms.here.name);
    const bo = await stage.seat({ login: await stage.account('bo'), path: `/rooms/${unread.id}` });
    await bo.isIn(unread.name);
    await bo.say('hello');
    await bo.message('hello').waitFor();
    await ann.refreshRooms();
    await ann.roomRow(unread.name).getByTestId('room-unread').waitFor();

    await openSwitcher(ann);
    await soon(() => activeOption(ann)).toContain(unread.name);
    expect(await activeOption(ann)).toContain('1 unread message');
    await ann.page.keyboard.press('ArrowDown');
    await soon(() => activeOption(ann)).toContain(later.name);
    await ann.page.keyboard.press('ArrowUp');
    await ann.page.keyboard.press('ArrowUp');
    await soon(() => activeOption(ann)).toContain('Sign out');
    await checkScreen(ann);
  });

  test('it runs commands: theme, language, a new room with the typed name', async () => {
    const { ann } = await inRoom(stage);
    const { keyboard } = ann.page;
    await openSwitcher(ann);
    await keyboard.type('dark');
    await soon(() => activeOption(ann)).toContain('Theme: Dark');
    await keyboard.press('Enter');
    await soon(() => ann.stored('chat_theme')).toBe('dark');
    await soon(() => focusedLabel(ann)).toBe('Message');

    const name = `§${uniqueName('fresh')}`;
    await openSwitcher(ann);
    await keyboard.type(name);
    await switcher(ann).getByText('No rooms, people or commands.').waitFor();
    await checkScreen(ann);
    await keyboard.press('Enter');
    await ann.dialog.waitFor();
    await keyboard.press('Enter');
    await ann.isIn(name);

    await openSwitcher(ann);
    await keyboard.type('chinese');
    await keyboard.press('Enter');
    await ann.page.getByRole('navigation', { name: '房间' }).waitFor();
  });

  test('it finds people by their names; Enter opens the direct conversation', async () => {
    const { ann, rooms } = await inRoom(stage);
    const bo = await stage.account('bo');
    await openSwitcher(ann);
    await ann.page.keyboard.type(bo.username);
    await soon(() => activeOption(ann)).toContain(bo.username);
    await switcher(ann).getByRole('group', { name: 'People' }).waitFor();
    await checkScreen(ann);
    await ann.page.keyboard.press('Enter');
    await ann.isIn(bo.username);

    await openSwitcher(ann);
    await ann.page.keyboard.type(rooms.other.name);
    await soon(() => activeOption(ann)).toContain(rooms.other.name);
  });

  test('Escape and Ctrl K close it, and return the focus', async () => {
    const { ann } = await inRoom(stage);
    const { keyboard } = ann.page;
    for (const key of ['Escape', 'Control+k']) {
      await ann.search.focus();
      await openSwitcher(ann);
      await keyboard.press(key);
      await switcher(ann).waitFor({ state: 'hidden' });
      await soon(() => focused(ann)).toBe('Search or jump');
    }
  });

  test('a press beside it closes it; a selection dragged beyond its edge does not', async () => {
    const { ann } = await inRoom(stage);
    const { mouse } = ann.page;
    await openSwitcher(ann);
    const box = await ann.page.getByRole('combobox').boundingBox();
    await mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    await mouse.down();
    await mouse.move(20, 20);
    await mouse.up();
    expect(await focusedLabel(ann)).toBe('Jump to a room or run a command');
    await mouse.click(20, 20);
    await switcher(ann).waitFor({ state: 'hidden' });
    await soon(() => focusedLabel(ann)).toBe('Message');
  });

  test('it is fetched at the first Ctrl or mouse move, and keys typed before it is there are dropped', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login, uniqueName('quiet'));
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, worker: false });
    const held: Route[] = [];
    await ann.page.route(/QuickSwitcher[^/]*\.js$/, (route) => void held.push(route));
    await ann.isIn(room.name);
    await soon(() => focusedLabel(ann)).toBe('Message');
    await ann.page.keyboard.type('mine');
    await soon(() => hasFetched(ann, 'SignOutDialog')).toBe(true);
    expect(held).toEqual([]);
    await ann.page.keyboard.down('Control');
    await soon(async () => held.length).toBe(1);
    await ann.page.keyboard.press('k');
    await ann.page.keyboard.up('Control');
    await ann.page.keyboard.type('theirs');
    await ann.page.keyboard.press('Enter');
    expect(await ann.composer.inputValue()).toBe('mine');
    for (const route of held) await route.continue();
    await soon(() => focusedLabel(ann)).toBe('Jump to a room or run a command');
    await ann.page.keyboard.press('Escape');
    await soon(() => focusedLabel(ann)).toBe('Message');
    expect(await ann.composer.inputValue()).toBe('mine');
  });

  test('by pointer: the field above the list opens it, a press on a room goes there', async () => {
    const { ann, rooms } = await inRoom(stage);
    await ann.search.click();
    await switcher(ann).getByRole('option', { name: rooms.other.name }).click();
    await ann.isIn(rooms.other.name);
  });
});

async function inRoom(stage: Stage) {
  const login = await stage.account('ann');
  const other = await createRoom(stage.server, login, uniqueName('other'));
  const here = await createRoom(stage.server, login, uniqueName('here'));
  const ann = await stage.seat({ login, path: `/rooms/${here.id}` });
  await ann.isIn(here.name);
  return { ann, login, rooms: { here, other } };
}

async function openSwitcher(person: Person): Promise<void> {
  await person.page.keyboard.press('Control+k');
  await soon(() => focusedLabel(person)).toBe('Jump to a room or run a command');
}

function switcher(person: Person) {
  return person.switcher;
}

/** What the input says is active. */
async function activeOption(person: Person): Promise<string> {
  return await person.page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    const option = document.getElementById(id ?? '');
    return option?.getAttribute('aria-selected') === 'true' ? (option.textContent ?? '') : '';
  });
}

/** Whether the page has a script. The page fetches its small dialogs shortly after the first paint, and listens for Ctrl from then on. */
async function hasFetched(person: Person, name: string): Promise<boolean> {
  return await person.page.evaluate(
    (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/${part}`)),
    name,
  );
}

async function focusedLabel(person: Person): Promise<string> {
  return await person.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}
