/** Without a pointer: the pages about rooms and people, and the links that lead to the server. */
import { expect, test } from 'vitest';
import { post, send } from '../support/http.ts';
import { createRoom, PASSWORD, uniqueName } from '../support/users.ts';
import { focused, tabTo } from './focus.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';

onStage('pages by keyboard alone', (stage) => {
  // First, while the server has no admin.
  test('the setup link: sign up, become admin, go to the rooms', async () => {
    const [line] = await stage.server.logged(({ link }) => link !== undefined);
    const ann = await stage.seat({ path: new URL(String(line?.link)).pathname });
    await signUp(ann);
    await ann.button('Become admin').waitFor();
    await tabTo(ann, 'Become admin');
    await ann.page.keyboard.press('Enter');
    await ann.page.getByRole('heading', { name: "You're the admin now" }).waitFor();
    await ann.page.reload();
    await ann.page.getByRole('heading', { name: "You're the admin now" }).waitFor();
    await tabTo(ann, 'Go to your rooms');
    await ann.page.keyboard.press('Enter');
    await soon(() => new URL(ann.page.url()).pathname).toBe('/');
  });

  test('an invite link: sign up, and the room is open', async () => {
    const owner = await stage.account('bo');
    const room = await createRoom(stage.server, owner, uniqueName('room'), 'private');
    const invites = `/api/v1/rooms/${room.id}/invites`;
    const { json } = await post(stage.server, invites, {}, { token: owner.accessToken });
    const path = new URL((json as { url: string }).url).pathname;
    const ann = await stage.seat({ path });
    await signUp(ann);
    await ann.isIn(room.name);
    // With an account, there is a page that asks.
    const cy = await stage.seat({ login: await stage.account('cy'), path });
    await cy.button('Join room').waitFor();
    await tabTo(cy, 'Join room');
    await cy.page.keyboard.press('Enter');
    await cy.isIn(room.name);
  });

  test('Browse rooms: find a room, look at it, go back, join it', async () => {
    const owner = await stage.account('bo');
    await createRoom(stage.server, owner);
    const room = await createRoom(stage.server, owner, uniqueName('far'));
    const ann = await stage.seat({ login: await stage.account('ann') });
    const { keyboard } = ann.page;
    await ann.page.getByRole('link', { name: 'Browse rooms' }).waitFor();
    await tabTo(ann, 'Browse rooms');
    await keyboard.press('Enter');
    await ann.page.getByRole('heading', { level: 1, name: 'Browse rooms' }).waitFor();
    await tabTo(ann, 'Find a room');
    await keyboard.type(room.name);
    await soon(() => ann.page.getByTestId('browse-room').count()).toBe(1);
    await tabTo(ann, room.name);
    await keyboard.press('Enter');
    await ann.isIn(room.name);
    await ann.page.getByTestId('not-member').waitFor();
    await ann.page.goBack();
    await ann.page.getByLabel('Find a room').waitFor();
    await tabTo(ann, 'Find a room');
    await keyboard.type(room.name);
    await soon(() => ann.page.getByTestId('browse-room').count()).toBe(1);
    await tabTo(ann, `Join: ${room.name}`);
    await keyboard.press('Enter');
    await ann.roomRow(room.name).waitFor();
    await ann.page.getByTestId('browse-room').getByText('2 members').waitFor();
  });

  test('Settings: the name is changed and saved, and the page is left', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    const { keyboard } = ann.page;
    await ann.isIn(room.name);
    await tabTo(ann, /Account menu/);
    await keyboard.press('Enter');
    await ann.button('Settings').waitFor();
    await tabTo(ann, 'Settings');
    await keyboard.press('Enter');
    await ann.page.getByLabel('Display name').waitFor();
    await tabTo(ann, 'Display name');
    await keyboard.type('Ann of the North');
    await tabTo(ann, 'Save');
    await keyboard.press('Enter');
    await ann.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const { json } = await send(stage.server, '/api/v1/me', { token: login.accessToken });
    expect(json).toMatchObject({ display_name: 'Ann of the North' });
    await tabTo(ann, new RegExp(room.name));
    await keyboard.press('Enter');
    await ann.isIn(room.name);
  });

  test('Ctrl K leads to the pages, which take the focus that was in the room', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    const { keyboard } = ann.page;
    for (const page of ['Inbox', 'Threads', 'Saved', 'Settings']) {
      await ann.isIn(room.name);
      await soon(() => focused(ann)).toBe('Message');
      await keyboard.press('Control+k');
      await soon(() => focused(ann)).toBe('Jump to a room or run a command');
      await keyboard.type(page);
      await ann.page.getByRole('option', { name: page, exact: true, selected: true }).waitFor();
      await keyboard.press('Enter');
      await soon(() => focused(ann)).toBe(page);
      await ann.page.goBack();
    }
  });

  test('a direct message: Ctrl Shift M, a name, Enter, and Start', async () => {
    const bo = await stage.account('bo');
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    const { keyboard } = ann.page;
    await ann.isIn(room.name);
    await keyboard.press('Control+Shift+m');
    await soon(() => focused(ann)).toBe('Find people');
    await keyboard.type(bo.username);
    const dialog = ann.page.getByRole('dialog', { name: 'New message' });
    await soon(() => dialog.getByRole('listitem').count()).toBe(1);
    await keyboard.press('Enter');
    await dialog.getByRole('button', { name: `Remove ${bo.username}` }).waitFor();
    await tabTo(ann, 'Start');
    await keyboard.press('Enter');
    await ann.isIn(bo.username);
    await soon(() => focused(ann)).toBe('Message');
  });
});

/** At the form for new users, which has the focus in its first field. */
async function signUp(person: Person): Promise<void> {
  const { keyboard } = person.page;
  await soon(() => focused(person)).toBe('Username');
  await keyboard.type(uniqueName('new'));
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
}
