/** The pages, panels and dialogs about rooms and people on a phone: by touch, with targets of 44 pixels. */
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { addMember, createRoom, type Login, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { focused } from './focus.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('pages on a phone', (stage) => {
  // First, while the server has no admin.
  test('the setup link makes the user the admin and leads to the rooms', async () => {
    const [line] = await stage.server.logged(({ link }) => link !== undefined);
    const path = new URL(String(line?.link)).pathname;
    const ann = await stage.seat({ login: await stage.account('ann'), path, context: PHONE });
    await ann.button('Become admin').waitFor();
    await expectReachable(ann);
    await ann.button('Become admin').tap();
    await ann.button('Go to your rooms').tap();
    await ann.rooms.waitFor();
  });

  test('an invite leads into the room', async () => {
    const owner = await stage.account('bo');
    const room = await createRoom(stage.server, owner, uniqueName('room'), 'private');
    const invites = `/api/v1/rooms/${room.id}/invites`;
    const { json } = await post(stage.server, invites, {}, { token: owner.accessToken });
    const path = new URL((json as { url: string }).url).pathname;
    const ann = await stage.seat({ login: await stage.account('ann'), path, context: PHONE });
    await ann.button('Join room').waitFor();
    await expectReachable(ann);
    await ann.button('Join room').tap();
    await ann.isIn(room.name);
  });

  test('Browse rooms is reached from the list, joins a room, and leads back', async () => {
    const owner = await stage.account('bo');
    await createRoom(stage.server, owner);
    const room = await createRoom(stage.server, owner, uniqueName('far'));
    const ann = await stage.seat({ login: await stage.account('ann'), context: PHONE });
    await ann.page.getByRole('link', { name: 'Browse rooms' }).tap();
    await ann.page.getByLabel('Find a room').fill(room.name);
    await soon(() => ann.page.getByTestId('browse-room').count()).toBe(1);
    await ann.rooms.waitFor({ state: 'hidden' });
    await expectReachable(ann);
    await ann.button(`Join: ${room.name}`).tap();
    await ann.page.getByTestId('browse-room').getByText('2 members').waitFor();
    await ann.button('Back').tap();
    await ann.roomRow(room.name).waitFor();
  });

  test('the settings of a room are a list of pages; Back leads to the list, then to the room', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
    await ann.isIn(room.name);
    await ann.button('Room settings').tap();
    await ann.roomPart('About').waitFor();
    await ann.composer.waitFor({ state: 'hidden' });
    await expectReachable(ann);
    await ann.goToRoomPart('About');
    await ann.page.getByLabel('Topic').waitFor();
    await expectReachable(ann);
    await ann.goToRoomPart('People');
    await ann.page.getByTestId('member').waitFor();
    await expectReachable(ann);
    await ann.goToRoomPart('Invites');
    await ann.button('Create invite link').tap();
    await ann.page.getByTestId('made-link').waitFor();
    await expectReachable(ann);
    await ann.goToRoomPart('Notifications');
    await ann.page.getByLabel('Mute', { exact: true }).waitFor();
    await expectReachable(ann);
    // The gesture goes the same way.
    await ann.page.goBack();
    await ann.roomPart('Notifications').tap();
    await ann.page.getByLabel('Mute', { exact: true }).waitFor();
    await ann.button('Back').tap();
    await ann.roomPart('About').waitFor();
    await ann.button('Back').tap();
    await ann.composer.waitFor();
    expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${room.id}`);
  });

  test('Escape in the settings of a room leads to the button that opens them, from the list and from a part', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
    await ann.isIn(room.name);
    for (const part of [null, 'People'] as const) {
      await ann.button('Room settings').tap();
      await soon(() => focused(ann)).toBe('Back');
      if (part !== null) await ann.goToRoomPart(part);
      await ann.page.keyboard.press('Escape');
      await ann.composer.waitFor();
      await soon(() => focused(ann)).toBe('Room settings');
      expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${room.id}`);
    }
  });

  test('after a tap, what gets the focus by itself has no ring; after a key, it has one', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
    await ann.isIn(room.name);
    await ann.button('Room settings').tap();
    await soon(() => focused(ann)).toBe('Back');
    const ring = () => ann.button('Back').evaluate((button) => getComputedStyle(button).outlineStyle);
    expect(await ring()).toBe('none');
    await ann.page.keyboard.press('Tab');
    await ann.page.keyboard.press('Shift+Tab');
    await soon(() => focused(ann)).toBe('Back');
    expect(await ring()).toBe('solid');
  });

  test('the menu of a room of the list leads to the same list', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, context: PHONE });
    await ann.roomRow(room.name).click({ button: 'right' });
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Room settings' }).tap();
    await ann.roomPart('About').waitFor();
    await ann.button('Back').tap();
    await ann.isIn(room.name);
  });

  test('a private room is left after a question, and a public one can be joined again by Undo', async () => {
    const owner = await stage.account('bo');
    const login = await stage.account('ann');
    const closed = await createRoom(stage.server, owner, uniqueName('closed'), 'private');
    await addMember(stage.server, owner, closed.id, login.userId);
    const open = await createRoom(stage.server, owner);
    await addMember(stage.server, owner, open.id, login.userId);
    const ann = await stage.seat({ login, path: `/rooms/${closed.id}/about`, context: PHONE });
    const question = ann.page.getByRole('alertdialog');
    await ann.button('Leave room').tap();
    await question.getByRole('button', { name: 'Stay in the room' }).tap();
    await question.waitFor({ state: 'hidden' });
    await ann.button('Leave room').tap();
    await expectReachable(ann);
    await question.getByRole('button', { name: 'Leave room' }).tap();
    await ann.page.getByText(`You left ${closed.name}`).waitFor();
    await soon(() => ann.roomRow(closed.name).count()).toBe(0);
    expect(await ann.button('Undo').count()).toBe(0);

    await ann.roomRow(open.name).tap();
    await ann.isIn(open.name);
    await ann.button('Room settings').tap();
    await ann.goToRoomPart('About');
    await ann.button('Leave room').tap();
    await soon(() => ann.roomRow(open.name).count()).toBe(0);
    await ann.button('Undo').tap();
    await ann.roomRow(open.name).waitFor();
  });

  test('the profile card of an author leads to a direct conversation', async () => {
    const bo = await stage.account('bo');
    const room = await talk(stage, bo);
    const path = `/rooms/${room.id}`;
    const ann = await stage.seat({ login: await stage.account('ann'), path, context: PHONE });
    await ann.log.getByRole('button', { name: bo.username }).tap();
    const message = ann.page.getByRole('dialog').getByRole('button', { name: 'Message', exact: true });
    await message.waitFor();
    // No menu over the sheet: what is rarer is in it.
    for (const name of ['Copy username', 'Block'])
      await ann.page.getByRole('dialog').getByRole('button', { name }).waitFor();
    await expectReachable(ann);
    await message.tap();
    await ann.isIn(bo.username);
  });

  test('the settings are reached by the bar, saved, and left', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), context: PHONE });
    await ann.you.tap();
    await ann.goToSection('Profile');
    await ann.page.getByLabel('Display name').fill('Ann of the North');
    await expectReachable(ann);
    await ann.button('Save').tap();
    await ann.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await ann.button('Back').tap();
    await ann.page.getByTestId('home-place').tap();
    await ann.rooms.waitFor();
  });
});

/** A room of this person, in which they have said something. */
async function talk(stage: Stage, login: Login) {
  const room = await createRoom(stage.server, login);
  const client = await ChatClient.enter(stage.server, login, room.id);
  client.say('hello');
  await client.waitFor('message');
  await client.close();
  return room;
}
