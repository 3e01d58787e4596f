/** Every screen of the client, each in a state that shows what it can do. */
import { post } from '../../support/http.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { signUp } from '../../support/users.ts';
import { CuttableProxy } from '../cuttable-proxy.ts';
import { keptMessages, keptRooms } from '../last-seen-page.ts';
import { plant } from '../outbox-page.ts';
import type { Person } from '../person.ts';
import { FACE_SCREENS } from './face-screens.ts';
import { FILE_SCREENS } from './file-screens.ts';
import { GALLERY_SCREENS } from './gallery-screens.ts';
import { livelyRoom, write } from './lively-room.ts';
import { MESSAGE_SCREENS } from './message-screens.ts';
import { NOTIFICATION_SCREENS } from './notification-screens.ts';
import { OWN_EMOJI_SCREENS } from './own-emoji-screens.ts';
import { PREVIEW_SCREENS } from './preview-screens.ts';
import { ROOM_AND_PEOPLE_SCREENS } from './room-and-people-screens.ts';
import { LONG_NAME, ME, NOW, ROOMS } from './script.ts';
import type { Screen } from './studio.ts';
import { leaveNarrowRoom, me } from './user.ts';
import { WRITING_SCREENS } from './writing-screens.ts';

/** By the name of its picture. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  'sign-in': async (studio) => {
    const person = await studio.seat();
    await person.choose('Sign in');
    await studio.shoot(person, 'sign-in');
    await person.signIn(ME, 'not my password');
    await person.page.getByText('Wrong username').waitFor();
    await studio.shoot(person, 'sign-in-wrong', () => refusedAgain(person));
  },

  'sign-in-too-often': async (studio) => {
    const person = await studio.seat();
    const credentials = { username: 'Zoë Martin', password: 'not my password' };
    for (let failed = 0; failed < 10; failed++) {
      await post(studio.world.server, '/api/v1/auth/login', credentials);
    }
    await person.signIn(credentials.username, credentials.password);
    await person.page.getByTestId('too-many').waitFor();
    await studio.shoot(person, 'sign-in-too-often');
  },

  'sign-up': async (studio) => {
    const person = await studio.seat();
    await person.choose('Sign up');
    await studio.shoot(person, 'sign-up');
    await person.signUp('x', 'short');
    await person.page.getByText('2–64 visible').waitFor();
    await studio.shoot(person, 'sign-up-rules', () => sendAgain(person));
    await person.signUp(ME, 'correct horse battery');
    await person.page.getByText('too similar').waitFor();
    await studio.shoot(person, 'sign-up-taken', () => refusedAgain(person));
  },

  'session-ended': async (studio) => {
    const person = await me(studio);
    await person.store('chat_access', 'spoiled');
    await person.store('chat_refresh', 'spoiled');
    await person.page.reload();
    await person.page.getByText('Your session has ended').waitFor();
    await studio.shoot(person, 'session-ended');
  },

  'no-rooms': async (studio) => {
    await using server = await ServerProcess.start();
    const login = await signUp(server, ME);
    const person = await studio.seat({ origin: server.url, login });
    await person.button('Create a room').waitFor();
    await studio.shoot(person, 'no-rooms');
    await person.button('Create a room').click();
    await person.dialog.waitFor();
    await studio.shoot(person, 'no-rooms-dialog');
    await studio.clear();
  },

  rooms: async (studio) => {
    const person = await me(studio);
    await studio.shoot(person, 'rooms');
    await person.new.click();
    await person.newItem('Invite people').waitFor();
    await studio.shoot(person, 'new-menu');
    await person.newItem('Invite people').click();
    await person.button('Create invite link').click();
    await person.page.getByTestId('made-link').waitFor();
    await studio.shoot(person, 'invite-people');
  },

  'new-room': async (studio) => {
    const person = await me(studio, 'release');
    await leaveNarrowRoom(studio, person);
    await person.startRoom();
    await person.page.getByLabel('Room name').fill(ROOMS.design);
    await studio.shoot(person, 'new-room');
    await person.button('Create room').click();
    await person.page.getByText('already exists').waitFor();
    await studio.shoot(person, 'new-room-taken', () => refusedAgain(person));
  },

  'me-menu': async (studio) => {
    // A phone has the page You in its place, which is that of the settings.
    if (studio.isNarrow) return;
    const person = await me(studio, 'release');
    await person.me.click();
    await person.button('Sign out').waitFor();
    await studio.shoot(person, 'me-menu');
  },

  status: async (studio) => {
    const person = await me(studio);
    if (studio.isNarrow) await person.you.click();
    else await person.me.click();
    await person.page.getByRole('button', { name: /^Set a status/ }).click();
    await person.page.getByTestId('status').waitFor();
    await studio.shoot(person, 'status');
  },

  switcher: async (studio) => {
    const person = await me(studio, 'release');
    await person.page.keyboard.press('Control+k');
    await person.page.getByRole('option').first().waitFor();
    await studio.shoot(person, 'switcher');
    await person.page.getByRole('combobox').fill('de');
    await studio.shoot(person, 'switcher-found');
    await person.page.getByRole('combobox').fill('Marketing');
    await person.switcher.getByRole('button', { name: /^(Create|创建).*Marketing/ }).waitFor();
    await studio.shoot(person, 'switcher-none');
  },

  shortcuts: async (studio) => {
    const person = await me(studio, 'release');
    await person.page.keyboard.press('Control+/');
    await person.page.getByText('Next unread room').waitFor();
    await studio.shoot(person, 'shortcuts');
  },

  room: async (studio) => {
    const person = await livelyRoom(studio);
    await studio.shoot(person, 'room');
    await person.composer.fill('Shall we celebrate at four?\n\nI could bring:\n- cake\n- more cake');
    await studio.shoot(person, 'room-writing');
    await person.composer.fill('And on '.repeat(580));
    await person.page.getByTestId('counter').waitFor();
    await studio.shoot(person, 'room-too-long');
  },

  'room-empty': async (studio) => {
    await studio.shoot(await me(studio, 'quiet'), 'room-empty');
  },

  'room-unread': async (studio) => {
    await studio.shoot(await me(studio, 'backend'), 'room-unread');
  },

  'room-chinese': async (studio) => {
    await studio.shoot(await me(studio, 'shanghai'), 'room-chinese');
  },

  'room-loading': async (studio) => {
    const person = await me(studio, 'support');
    // The response does not arrive before the picture is taken.
    await person.page.route('**/messages?*', () => undefined);
    await leaveNarrowRoom(studio, person);
    await person.roomRow(ROOMS.music).click();
    await person.page.locator('[role=log][aria-busy=true]').waitFor();
    await studio.shoot(person, 'room-loading');
  },

  'room-past': async (studio) => {
    const person = await me(studio, 'past');
    await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
    await person.toEnd.waitFor();
    await studio.shoot(person, 'room-past');
    const jonas = await studio.world.enter('past', 'Jonas Weber');
    for (const content of ['Build 2001 is on staging.', 'Going on.'])
      jonas.send({ type: 'message', content });
    await person.toEnd.getByText('2 new').waitFor();
    await studio.shoot(person, 'room-past-new');
  },

  'room-edges': async (studio) => {
    const person = await me(studio, 'edges');
    await studio.shoot(person, 'room-edges');
    await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
    await studio.shoot(person, 'room-edges-top');
  },

  'room-essay': async (studio) => {
    await studio.shoot(await me(studio, 'design'), 'room-essay');
  },

  'room-people': async (studio) => {
    const person = await me(studio, 'release');
    await person.page.locator('#people-button').click();
    await person.page.getByTestId('person').first().waitFor();
    await studio.shoot(person, 'room-people');
  },

  'room-comings': async (studio) => {
    const person = await me(studio, 'lunch');
    for (const name of ['Aiko Tanaka', LONG_NAME, 'Sam Okafor', 'Ines Moreau', 'Noor Haddad']) {
      await studio.world.enter('lunch', name);
    }
    await person.notice('others joined').waitFor();
    await studio.shoot(person, 'room-comings');
    await studio.world.gather();
  },

  'room-offline': async (studio) => {
    await using proxy = await CuttableProxy.start(studio.world.server);
    const person = await me(studio, 'release', proxy.url);
    await proxy.cut();
    await person.connection('waiting').waitFor();
    await person.button('Retry now').waitFor();
    await studio.shoot(person, 'room-reconnecting');
    for (const content of ['I am in the train now.', 'Back in ten minutes.'])
      await write(studio, person, content);
    await person.banner.getByText('2 messages waiting').waitFor();
    await person.button('Retry now').waitFor();
    await studio.shoot(person, 'room-offline');
    await proxy.restore();
    await person.banner.getByText('Up to date').waitFor();
    await studio.shoot(person, 'room-recovered');
    await studio.clear();
  },

  'sign-out': async (studio) => {
    await using proxy = await CuttableProxy.start(studio.world.server);
    const person = await me(studio, 'release', proxy.url);
    await proxy.cut();
    await person.connection('waiting').waitFor();
    await write(studio, person, 'I am in the train now.');
    await leaveNarrowRoom(studio, person);
    await (studio.isNarrow ? person.you : person.me).click();
    await person.button('Sign out').click();
    await person.page.getByRole('alertdialog').waitFor();
    await studio.shoot(person, 'sign-out');
    await studio.clear();
  },

  'opened-offline': async (studio) => {
    await using proxy = await CuttableProxy.start(studio.world.server);
    const person = await me(studio, 'design', proxy.url);
    await person.isKept();
    await keptMessages(person, studio.world.me.userId, studio.world.roomId('design'));
    await keptRooms(person, studio.world.me.userId, ROOMS.design);
    await proxy.cut();
    await person.page.reload();
    await person.messages.last().waitFor();
    await person.button('Retry now').waitFor();
    await studio.shoot(person, 'opened-offline');
    await studio.clear();
  },

  'room-failed': async (studio) => {
    const { world } = studio;
    const person = await me(studio, 'lunch');
    const refused = ['Soup today?', 'The one with lentils.'].map((content, index) => {
      const createdAt = Date.parse(NOW);
      return {
        cid: String(index),
        roomId: world.roomId('lunch'),
        content,
        createdAt,
        refusal: 'cid_conflict',
      };
    });
    await plant(person.page, world.me.userId, refused);
    await person.page.reload();
    await person.isIn(ROOMS.lunch);
    await person.page.getByText('Not sent').first().waitFor();
    await studio.shoot(person, 'room-failed');
  },

  ...ROOM_AND_PEOPLE_SCREENS,
  ...WRITING_SCREENS,
  ...FILE_SCREENS,
  ...PREVIEW_SCREENS,
  ...GALLERY_SCREENS,
  ...MESSAGE_SCREENS,
  ...NOTIFICATION_SCREENS,

  'room-gone': async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/rooms/4000000000' });
    await person.page.getByText("This room doesn't exist").waitFor();
    await studio.shoot(person, 'room-gone');
  },

  // Last, as they change people, messages and the server.
  ...OWN_EMOJI_SCREENS,
  ...FACE_SCREENS,
};

/** The form is sent once more, whatever its button is called now, and the server refuses it once more. */
async function refusedAgain(person: Person): Promise<void> {
  await Promise.all([person.page.waitForResponse((response) => !response.ok()), sendAgain(person)]);
  await person.page.locator('[aria-invalid=true]').first().waitFor();
}

async function sendAgain(person: Person): Promise<void> {
  await person.page.locator('form:has([aria-invalid=true]) button[type=submit]').click();
}
