/** Links that lead to the server before there is an account: an invite, and the one that makes the first admin. */
import { expect, test } from 'vitest';
import { hueOf, ROOM_HUES } from '../../protocol/hues.ts';
import { runCommand } from '../support/command.ts';
import { post, send } from '../support/http.ts';
import { createRoom, type Login, PASSWORD, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import { onStage, type Stage } from './stage.ts';

onStage('arrivals', (stage) => {
  test('an invite link leads somebody without an account into the room, once they have signed up', async () => {
    const ann = await stage.account('ann');
    const room = await createRoom(stage.server, ann, uniqueName('room'), 'private');
    const bo = await stage.seat({ path: await invite(stage, ann, room.id) });
    const title = `${ann.username} invites you to ${room.name}`;
    await bo.page.getByRole('heading', { level: 1, name: title }).waitFor();
    await bo.page.getByText('1 person is in.').waitFor();
    // Who invites is named once.
    expect(await bo.page.getByRole('paragraph').getByText(ann.username, { exact: true }).count()).toBe(0);
    // In the hue of the room, which the page without an invitation has not.
    const hue = () => bo.page.evaluate(() => document.documentElement.style.getPropertyValue('--hue'));
    expect(Number(await hue())).toBe(ROOM_HUES[hueOf(room)]);
    await checkScreen(bo);
    // Anybody may take any display name: a stranger sees whose it is.
    const dana = { method: 'PATCH', json: { display_name: 'Dana' }, token: ann.accessToken };
    expect((await send(stage.server, '/api/v1/me', dana)).status).toBe(200);
    await bo.page.reload();
    await bo.page
      .getByRole('heading', { level: 1, name: `Dana (${ann.username}) invites you to ${room.name}` })
      .waitFor();
    await bo.choose('Sign up');
    expect(await bo.submit.textContent()).toBe('Come in');
    await bo.signUp(uniqueName('bo'), PASSWORD);
    await bo.isIn(room.name);
  });

  test('an invitation of the operator says the name of the server; the address of a room, whatever its number, no more than that', async () => {
    const ann = await stage.account('ann');
    expect((await runCommand(stage.server, ['name', 'Northwind'])).code).toBe(0);
    const { stdout } = await runCommand(stage.server, ['invite', '--json']);
    const bo = await stage.seat({ path: new URL(JSON.parse(stdout).url).pathname });
    await bo.page.getByRole('heading', { level: 1, name: 'You are invited to Northwind' }).waitFor();
    const room = await createRoom(stage.server, ann, uniqueName('room'));
    const seen = [];
    for (const id of [room.id, 999_999]) {
      const cy = await stage.seat({ path: `/rooms/${id}` });
      await cy.page.getByRole('heading', { level: 1, name: 'Join Northwind' }).waitFor();
      seen.push(await cy.page.getByRole('main').innerText());
    }
    expect(seen[0]).toBe(seen[1]);
    await runCommand(stage.server, ['name', '']);
  });

  test('an invite that has ended does not keep anybody from signing up', async () => {
    const cy = await stage.seat({ path: '/invite/AAAAAAAAAAAAAAAAAAAAAA' });
    cy.console.expect(REFUSED);
    await cy.page.getByText('This invite has ended. Ask the person who sent it').waitFor();
    await cy.page.getByRole('heading', { level: 1, name: 'Join Roomful' }).waitFor();
    await cy.signUp(uniqueName('cy'), PASSWORD);
    await cy.page.getByRole('heading', { level: 1, name: 'This invite has ended' }).waitFor();
  });

  test('a link that signs in says as whom, is used up by its button alone, and leads nobody else in', async () => {
    const bo = await stage.account('bo');
    const { stdout } = await runCommand(stage.server, ['user', 'sign-in-link', bo.username, '--json']);
    const path = new URL(JSON.parse(stdout).url).pathname;
    // A user who is signed in stays signed in, and does not use it up.
    const ann = await stage.seat({ login: await stage.account('ann'), path });
    await ann.page.getByRole('heading', { level: 1, name: /^You're signed in as ann/ }).waitFor();
    const first = await stage.seat({ path });
    const second = await stage.seat({ path });
    second.console.expect(REFUSED);
    for (const seat of [first, second]) await seat.button(`Sign in as ${bo.username}`).waitFor();
    await checkScreen(first);
    await first.button(`Sign in as ${bo.username}`).click();
    await first.rooms.waitFor();
    expect(await first.me.textContent()).toContain(bo.username);
    expect(new URL(first.page.url()).pathname).toBe('/');
    await second.button(`Sign in as ${bo.username}`).click();
    await second.page.getByRole('heading', { level: 1, name: 'This link has ended' }).waitFor();
    await checkScreen(second);
  });

  test('the link in the log makes the user who signs up there the admin, in all tabs at once, and works once', async () => {
    const [line] = await stage.server.logged(({ link }) => link !== undefined);
    const path = new URL(String(line?.link)).pathname;
    const ann = await stage.seat({ path });
    await ann.page.getByRole('heading', { level: 1, name: 'You hold the keys' }).waitFor();
    await ann.page.getByText('that account can become the admin').waitFor();
    await ann.signUp(uniqueName('ann'), PASSWORD);
    await ann.button('Become admin').waitFor();
    await checkScreen(ann);
    const tab = await ann.openTab('/');
    await tab.me.click();
    await tab.button('Sign out').waitFor();
    expect(await tab.button('Administration').count()).toBe(0);
    await ann.button('Become admin').click();
    await ann.page.getByRole('heading', { name: "You're the admin now" }).waitFor();
    await checkScreen(ann);
    await tab.button('Administration').waitFor();
    await ann.me.click();
    await ann.button('Administration').waitFor();
    await ann.page.keyboard.press('Escape');
    const token = (await ann.stored('chat_access')) ?? '';
    expect((await send(stage.server, '/api/v1/me', { token })).json).toMatchObject({ role: 'admin' });
    await ann.button('Open administration').click();
    await ann.page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
    expect(new URL(ann.page.url()).pathname).toBe('/admin');
    const bo = await stage.seat({ login: await stage.account('bo'), path });
    bo.console.expect(REFUSED);
    await bo.button('Become admin').click();
    await bo.page.getByRole('heading', { name: 'This link has ended' }).waitFor();
    await checkScreen(bo);
  });
});

async function invite(stage: Stage, { accessToken }: Login, roomId: number): Promise<string> {
  const path = `/api/v1/rooms/${roomId}/invites`;
  const { json } = await post(stage.server, path, {}, { token: accessToken });
  return new URL((json as { url: string }).url).pathname;
}
