/** The pages, panels and dialogs about rooms and people. */

import { PASSWORD } from '../../../demo/seed.ts';
import { post, send } from '../../support/http.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { addMember, createRoom, logIn, signUp } from '../../support/users.ts';
import { ChatClient } from '../../support/ws-client.ts';
import { ARCHIVED_ROOM, ME } from './script.ts';
import type { Screen, Studio } from './studio.ts';
import { me } from './user.ts';

export const ROOM_AND_PEOPLE_SCREENS: Readonly<Record<string, Screen>> = {
  browse: async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/browse' });
    await person.page.getByTestId('browse-room').first().waitFor();
    await studio.shoot(person, 'browse');
  },

  settings: async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/settings' });
    if (studio.isNarrow) await person.page.getByRole('link', { name: 'Devices' }).waitFor();
    else await person.page.getByLabel('Display name').waitFor();
    await studio.shoot(person, 'settings');
    for (const section of ['profile', 'appearance', 'password', 'sessions', 'people']) {
      await person.page.goto(`/settings/${section}`);
      await person.page
        .getByRole('heading', { level: 2 })
        .or(person.page.getByRole('heading', { level: 1 }))
        .first()
        .waitFor();
      await person.page.getByText('Loading…').waitFor({ state: 'detached' });
      await studio.shoot(person, `settings-${section}`);
    }
  },

  'room-settings': async (studio) => {
    for (const part of ['settings', 'about', 'members', 'invites', 'notifications']) {
      const person = await studio.seat({
        login: studio.world.me,
        path: `${studio.world.path('quiet')}/${part}`,
      });
      await person.roomSettings.locator('section').locator('p, li, h3, a').first().waitFor();
      await person.page.getByText('Loading…').waitFor({ state: 'detached' });
      await studio.shoot(person, `room-settings-${part}`);
    }
  },

  moderation: async (studio) => {
    const { server, me: owner } = studio.world;
    const [author, reporter] = [
      await logIn(server, 'Tomás Ferreira', PASSWORD),
      await logIn(server, 'Ines Moreau', PASSWORD),
    ];
    const { id } = await createRoom(server, owner, `Flea market ${Math.trunc(performance.now())}`);
    for (const { userId } of [author, reporter]) await addMember(server, owner, id, userId);
    const socket = await ChatClient.enter(server, author, id);
    socket.send({ type: 'message', content: 'Cheap watches, all brands. Write to me for the list!' });
    const [message] = await socket.waitForCount('message', 1);
    await socket.close();
    const room = `/api/v1/rooms/${id}`;
    const report = { reason: 'spam', note: 'The third today' };
    await post(server, `${room}/messages/${String(message?.id)}/reports`, report, {
      token: reporter.accessToken,
    });
    await send(server, `${room}/mutes/${author.userId}`, {
      method: 'PUT',
      token: owner.accessToken,
      json: { reason: 'Advertising' },
    });
    const person = await studio.seat({ login: owner, path: `/rooms/${id}/moderation` });
    await person.page.getByTestId('report').waitFor();
    await studio.shoot(person, 'moderation');
    const muted = await studio.seat({ login: author, path: `/rooms/${id}` });
    await muted.page.getByText('Advertising').waitFor();
    await studio.shoot(muted, 'muted');
    await send(server, room, { method: 'DELETE', token: owner.accessToken });
  },

  profile: async (studio) => {
    const { accessToken: token } = await logIn(studio.world.server, 'Tomás Ferreira', PASSWORD);
    const is = (json: object) => send(studio.world.server, '/api/v1/me', { method: 'PATCH', token, json });
    await is({
      time_zone: 'Europe/Lisbon',
      status: {
        emoji: '🏡',
        text: 'Working from home',
        until: new Date(Date.now() + 4 * 3_600_000).toISOString(),
      },
    });
    const person = await me(studio, 'release');
    await person.page.getByRole('button', { name: 'Tomás Ferreira', exact: true }).last().click();
    await person.page.getByTestId('profile').getByRole('button').first().waitFor();
    await studio.shoot(person, 'profile');
    // On a phone all of it is in the sheet.
    if (!studio.isNarrow) {
      await person.page.getByTestId('profile').getByRole('button').last().click();
      await person.page.getByTestId('action-menu').waitFor();
      await studio.shoot(person, 'profile-menu');
    }
    await is({ time_zone: null, status: null });
  },

  'new-message': async (studio) => {
    const person = await me(studio, 'release');
    await person.page.keyboard.press('Control+Shift+m');
    await person.page
      .getByRole('button', { name: /Ines Moreau/ })
      .last()
      .waitFor();
    await person.page.getByLabel('Find people').first().fill('in');
    await person.page
      .getByRole('dialog')
      .getByRole('button', { name: /Ines Moreau/ })
      .click();
    await studio.shoot(person, 'new-message');
  },

  'invite-ended': async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/invite/AAAAAAAAAAAAAAAAAAAAAA' });
    await person.page.getByText('This invite has ended').waitFor();
    await studio.shoot(person, 'invite-ended');
  },

  invite: async (studio) => {
    const room = await roomOf(studio, 'Ines Moreau', 'Offsite', 'private');
    const path = `/api/v1/rooms/${room.id}/invites`;
    const { json } = await post(studio.world.server, path, {}, { token: room.token });
    const invite = new URL((json as { url: string }).url).pathname;
    const person = await studio.seat({ login: studio.world.me, path: invite });
    await person.button('Join room').waitFor();
    await studio.shoot(person, 'invite');
    const stranger = await studio.seat({ path: invite });
    await stranger.page.getByText('invites you to').waitFor();
    await studio.shoot(stranger, 'invite-outside');
  },

  'not-a-member': async (studio) => {
    const { id } = await roomOf(studio, 'Bea Novak', 'Running');
    const person = await studio.seat({ login: studio.world.me, path: `/rooms/${id}` });
    await person.page.getByTestId('not-member').waitFor();
    await studio.shoot(person, 'not-a-member');
  },

  archived: async (studio) => {
    const person = await me(studio);
    await person.openRoom(ARCHIVED_ROOM);
    await studio.shoot(person, 'archived');
  },

  'direct-message': async (studio) => {
    const person = await me(studio);
    await person.roomRow('Ines Moreau').first().click();
    await person.page.locator('[role=log][aria-busy=false]').waitFor();
    await studio.shoot(person, 'direct-message');
  },

  formatting: async (studio) => {
    const person = await me(studio, 'release');
    await person.composer.fill('Freeze at noon, please.');
    await person.composer.focus();
    await person.composer.selectText();
    await studio.shoot(person, 'formatting');
  },

  setup: async (studio) => {
    await using server = await ServerProcess.start();
    const [line] = await server.logged(({ link }) => link !== undefined);
    const path = new URL(String(line?.link)).pathname;
    const person = await studio.seat({ origin: server.url, login: await signUp(server, ME), path });
    await person.button('Become admin').waitFor();
    await studio.shoot(person, 'setup');
    await studio.clear();
  },
};

/** A room that the user is no member of. */
async function roomOf({ world }: Studio, owner: string, name: string, kind: 'public' | 'private' = 'public') {
  const login = await logIn(world.server, owner, PASSWORD);
  const { id } = await createRoom(world.server, login, `${name} ${Math.trunc(performance.now())}`, kind);
  return { id, token: login.accessToken };
}
