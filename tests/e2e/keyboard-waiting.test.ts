/** Without a pointer: the focus while a request is under way. */
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { focused, tabTo } from './focus.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';

onStage('the focus during a request', (stage) => {
  test('a pressed button keeps the focus while the request is under way', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    const signingIn = await hold(ann, '**/api/v1/auth/login');
    await ann.choose('Sign in');
    await ann.username.fill(login.username);
    await ann.password.fill(login.password);
    await tabTo(ann, 'Sign in');
    await ann.page.keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('One moment…');
    // A second press sends nothing more.
    await ann.page.keyboard.press('Enter');
    signingIn.letPass();
    await ann.rooms.waitFor();
    expect(signingIn.count()).toBe(1);

    const creating = await hold(ann, '**/api/v1/rooms', 'POST');
    await ann.startRoom();
    await ann.page.getByLabel('Room name').fill(uniqueName('slow'));
    await tabTo(ann, 'Create room');
    await ann.page.keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('Creating…');
    creating.letPass();
    await ann.dialog.waitFor({ state: 'hidden' });
  });

  test('a dialog that was closed while its room was created does not open the room', async () => {
    const login = await stage.account('ann');
    const here = await createRoom(stage.server, login, uniqueName('here'));
    const ann = await stage.seat({ login, path: `/rooms/${here.id}` });
    await ann.isIn(here.name);
    const creating = await hold(ann, '**/api/v1/rooms', 'POST');
    const late = uniqueName('late');
    await ann.startRoom();
    await ann.page.getByLabel('Room name').fill(late);
    await ann.page.keyboard.press('Enter');
    await ann.button('Creating…').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.dialog.waitFor({ state: 'hidden' });
    creating.letPass();
    await ann.roomRow(late).waitFor();
    expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${here.id}`);
    expect(await focused(ann)).toBe('New');
  });
});

onStage('typing while a dialog loads', (stage) => {
  test('the quick switcher begins with what was typed before it was there, and the composer gets none of it', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, cold: true, worker: false });
    await ann.isIn(room.name);
    const loading = await hold(ann, '**/QuickSwitcher-*.js', 'GET');
    await ann.composer.focus();
    await ann.page.keyboard.press('Control+k');
    await soon(() => loading.count()).toBe(1);
    await ann.page.keyboard.type('the plans');
    await ann.page.keyboard.press('Backspace');
    loading.letPass();
    const field = ann.switcher.getByRole('combobox');
    await soon(() => field.inputValue()).toBe('the plan');
    await soon(() => focused(ann)).toBe('Jump to a room or run a command');
    await ann.page.keyboard.type('s');
    expect(await field.inputValue()).toBe('the plans');
    expect(await ann.composer.inputValue()).toBe('');
  });
});

/** Keeps such requests waiting until they may pass. */
async function hold(person: Person, url: string, method = 'POST') {
  let open = (): void => {};
  let seen = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await person.page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    seen += 1;
    await opened;
    await route.fallback();
  });
  return { count: () => seen, letPass: () => open() };
}
