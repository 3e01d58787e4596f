/** What admins and moderators do in the client, and what those concerned see of it. */
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { send } from '../support/http.ts';
import { addMember, createRoom, type Login, PASSWORD } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

async function admin(stage: Stage): Promise<{ login: Login; root: Person }> {
  const login = await stage.account('root');
  const { code } = await runCommand(stage.server, ['admin', 'grant', login.username]);
  expect(code).toBe(0);
  return { login, root: await stage.seat({ login }) };
}

const tab = (person: Person, name: string) => person.page.getByRole('link', { name, exact: true });

onStage('administration', (stage) => {
  test('an admin suspends somebody, who reads why; lets them in again; gives a link for a new password', async () => {
    const { root } = await admin(stage);
    const bo = await stage.account('bo');
    const seat = await stage.seat({ login: bo });
    seat.console.expect(REFUSED, /status of 403/);
    await seat.rooms.waitFor();
    await root.rooms.waitFor();
    await root.page.getByTestId('me').click();
    await root.button('Administration').click();
    await root.page.getByRole('searchbox', { name: 'Search people' }).fill(bo.username);
    await soon(() => root.page.getByTestId('account').count()).toBe(1);
    await checkScreen(root, 'people');
    await root.button(`Manage ${bo.username}`).click();
    await root.page.getByLabel('Reason').fill('Left the company');
    await checkScreen(root, 'person');
    await root.page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await root.button('Let in again').waitFor();
    await seat.isOutside();
    await seat.signIn(bo.username, PASSWORD);
    await seat.page.getByText('This account is suspended. Reason: Left the company').waitFor();
    await checkScreen(seat, 'suspended');

    await root.button('Let in again').click();
    await root.page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    await root.button('Make a link for a new password').click();
    const link = await root.page.getByTestId('made-link').locator('span').first().textContent();
    await checkScreen(root, 'reset-link');
    await seat.page.goto(new URL(link ?? '').pathname);
    await seat.page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await checkScreen(seat, 'reset');
    await seat.password.fill('short');
    await seat.button('Set password').click();
    await seat.page.locator('[data-error=true]').waitFor();
    await seat.password.fill('another horse battery');
    await seat.button('Set password').click();
    await seat.page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await seat.button('To sign in').click();
    await seat.signIn(bo.username, 'another horse battery');
    await seat.rooms.waitFor();
    await seat.page.goto('/settings/people');
    const own = seat.page.getByRole('list', { name: 'What moderators did' });
    await own.getByText(/suspended/).waitFor();
    await own.getByText(/Left the company/).waitFor();
    await seat.page.goto(new URL(link ?? '').pathname);
    await seat.page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  });

  test('a new name of the server stands above the rooms at once', async () => {
    const { root } = await admin(stage);
    await root.page.goto('/admin/registration');
    for (const [typed, shown] of [
      ['North', 'North'],
      ['', 'Roomful'],
    ] as const) {
      await root.page.getByLabel('Name of the server').fill(typed);
      await root.button('Save').click();
      await root.rooms.getByText(shown, { exact: true }).waitFor();
    }
  });

  test('registration is closed, or by invitation; the log and usage say what happened', async () => {
    const { login, root } = await admin(stage);
    await root.page.goto('/admin');
    await tab(root, 'Server and registration').click();
    await root.page.getByRole('radio', { name: /^Nobody/ }).click();
    await checkScreen(root, 'registration');
    const outside = await stage.seat({});
    await outside.page.getByText('Registration is closed.').waitFor();
    expect(await outside.button('Create account').count()).toBe(0);
    await checkScreen(outside, 'closed');
    await root.page.getByRole('radio', { name: /^People with an invitation/ }).click();
    await root.button('Make an invitation').click();
    const link = await root.page.getByTestId('made-link').locator('span').first().textContent();
    await outside.page.goto(new URL(link ?? '').pathname);
    await outside.signUp(`invited-${Date.now()}`, PASSWORD);
    await outside.rooms.waitFor();
    await root.page.getByRole('radio', { name: /^Everybody/ }).click();
    await tab(root, 'Log').click();
    await root.page.getByText(`${login.username} made an invitation to the server`).waitFor();
    await checkScreen(root, 'log');
    await tab(root, 'Usage').click();
    await soon(() => root.page.getByTestId('count').count()).toBe(13);
    await checkScreen(root, 'usage');
  });

  test('an admin removes an account: the person is out, and their message is by nobody', async () => {
    const { root } = await admin(stage);
    const [ann, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, ann);
    const socket = await ChatClient.enter(stage.server, bo, room.id);
    socket.send({ type: 'message', content: 'Bye' });
    await socket.waitForCount('message', 1);
    await socket.close();
    const seat = await stage.seat({ login: bo });
    seat.console.expect(REFUSED);
    await seat.rooms.waitFor();
    await root.page.goto('/admin');
    await root.page.getByRole('searchbox', { name: 'Search people' }).fill(bo.username);
    await root.button(`Manage ${bo.username}`).click();
    await root.button('Remove account').click();
    await checkScreen(root, 'remove-account');
    await root.page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await root.page.getByText(`The account of ${bo.username} is removed.`).waitFor();
    await seat.isOutside();
    await root.page.goto(`/rooms/${room.id}`);
    await root.message('Bye').getByText(`Removed user ${bo.userId}`).waitFor();
  });

  test('an owner deletes a room, which everybody loses; an admin restores it, under another name where it is taken', async () => {
    const { root } = await admin(stage);
    const [ann, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, ann);
    await addMember(stage.server, ann, room.id, bo.userId);
    const owner = await stage.seat({ login: ann, path: `/rooms/${room.id}` });
    const member = await stage.seat({ login: bo, path: `/rooms/${room.id}` });
    for (const seat of [owner, member]) seat.console.expect(REFUSED);
    root.console.expect(REFUSED);
    await member.rooms.getByText(room.name).waitFor();
    await owner.page.getByRole('heading', { level: 1 }).getByRole('button').click();
    await owner.button('Delete room').click();
    await checkScreen(owner, 'delete-room');
    await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Delete room' }).click();
    for (const seat of [owner, member]) await seat.rooms.getByText(room.name).waitFor({ state: 'detached' });

    await createRoom(stage.server, ann, room.name);
    await root.page.goto('/admin');
    await tab(root, 'Deleted rooms').click();
    await checkScreen(root, 'deleted-rooms');
    await root.button(`Restore ${room.name}`).click();
    const field = root.page.getByRole('textbox', { name: 'New name' });
    await field.fill(`${room.name} again`);
    await checkScreen(root, 'restore-room');
    await root.page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await root.page.getByText('No deleted rooms.').waitFor();
    await member.rooms.getByText(`${room.name} again`).waitFor();
  });

  test('the page says so to somebody who is no admin, and is not in their menu', async () => {
    const login = await stage.account('bo');
    const bo = await stage.seat({ login, path: '/admin' });
    await bo.page.getByRole('heading', { name: 'Only admins can see this page' }).waitFor();
    await bo.page.getByTestId('me').click();
    await bo.button('Settings').waitFor();
    expect(await bo.button('Administration').count()).toBe(0);
  });

  test('a message is reported, an admin judges it, a moderator mutes its author', async () => {
    const { login, root } = await admin(stage);
    const [ann, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, ann);
    for (const { userId } of [bo, login]) await addMember(stage.server, ann, room.id, userId);
    const socket = await ChatClient.enter(stage.server, bo, room.id);
    socket.send({ type: 'message', content: 'Buy now!' });
    await socket.waitForCount('message', 1);
    await socket.close();
    const seat = await stage.seat({ login: ann, path: `/rooms/${room.id}` });
    await seat.message('Buy now!').waitFor();
    const menu = async (command: string) => {
      await seat.message('Buy now!').hover();
      await seat.page.getByRole('button', { name: 'More', exact: false }).first().click();
      await seat.page.getByTestId('action-menu').getByRole('button', { name: command }).click();
    };
    await menu('Report to moderators');
    await checkScreen(seat, 'report');
    await seat.page.getByLabel('What should they know?').fill('The third today');
    await seat.button('Send report').click();
    await seat.page.getByText('The moderators will look at it').waitFor();

    await root.page.goto('/admin');
    await tab(root, 'Reports').click();
    const report = root.page.getByTestId('report');
    await report.getByText('Buy now!').waitFor();
    await checkScreen(root, 'reports');
    await report.getByRole('button', { name: 'Close report' }).click();
    await report.getByRole('button', { name: 'Done' }).click();
    await root.page.getByText('No open reports.').waitFor();

    await menu('Mute or ban the author');
    await seat.page.getByLabel('Reason').fill('Advertising');
    await checkScreen(seat, 'moderate');
    await seat.page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    await seat.page.getByText(`${bo.username} is muted`).waitFor();
    const { json } = await send(stage.server, `/api/v1/rooms/${room.id}/restricted`, {
      token: ann.accessToken,
    });
    expect(json).toMatchObject({ people: [{ user_id: bo.userId, banned_until: null }] });
  });
});
