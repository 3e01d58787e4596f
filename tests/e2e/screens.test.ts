/** The pages, panels and dialogs about rooms and people. */
import { expect, test } from 'vitest';
import { hueOf, ROOM_HUES, type RoomHue } from '../../protocol/hues.ts';
import { createRoom, findRoom, type Login, logIn, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('screens', (stage) => {
  test('Browse rooms finds any public room; joining it there takes its bar away', async () => {
    const owner = await stage.account('bo');
    // The first room is one that every new user joins.
    await createRoom(stage.server, owner);
    const room = await createRoom(stage.server, owner);
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.page.getByRole('link', { name: 'Browse rooms' }).click();
    await ann.page.getByRole('heading', { level: 1, name: 'Browse rooms' }).waitFor();
    await ann.page.getByLabel('Find a room').fill(room.name);
    const row = ann.page.getByTestId('browse-room');
    await soon(() => row.count()).toBe(1);
    await row.getByText('1 member').waitFor();
    await checkScreen(ann);
    await row.getByRole('link', { name: room.name }).click();
    await ann.isIn(room.name);
    const bar = ann.page.getByTestId('not-member');
    await bar.getByText(`You're looking at ${room.name}`).waitFor();
    await checkScreen(ann);
    await bar.getByRole('button', { name: 'Join' }).click();
    await bar.waitFor({ state: 'detached' });
    await ann.page.goto('/browse');
    await ann.page.getByLabel('Find a room').fill(room.name);
    const joined = row.filter({ hasText: room.name });
    await joined.getByText('2 members').waitFor();
    await soon(() => joined.getByRole('button').count()).toBe(0);
    await ann.page.getByLabel('Find a room').fill('nothing like it');
    await ann.page.getByText('No rooms found').waitFor();
    await checkScreen(ann);
  });

  test('a room is made with a topic, an emoji and a kind', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    const name = uniqueName('launch');
    await ann.startRoom();
    await ann.page.getByLabel('Room name').fill(name);
    await ann.page.getByText('Private', { exact: true }).click();
    await ann.page.getByText('Only the people you add know of it.').waitFor();
    await ann.page.getByLabel('Topic (optional)').fill('Ships\u200B Thursday');
    await ann.button('Create room').click();
    await ann.dialog.getByText('This contains a character that nobody can see.').waitFor();
    await ann.page.getByLabel('Topic (optional)').fill('Ships Thursday');
    await ann.page.getByRole('radio', { name: 'Plum' }).check();
    await chooseEmoji(ann, 'rocket');
    await checkScreen(ann);
    await ann.button('Create room').click();
    await ann.page.getByRole('heading', { level: 1, name }).waitFor();
    await ann.page.locator('[data-region=header]').getByText('Ships Thursday').waitFor();
    await hasDoor(ann, name, 'plum', '🚀');
    const stranger = await stage.seat({ login: await stage.account('bo'), path: '/browse' });
    await stranger.page.getByLabel('Find a room').fill(name);
    await stranger.page.getByText('No rooms found').waitFor();
  });

  test('with the keyboard: the name of the room opens its settings, Back their list, and Escape closes them', async () => {
    const { ann, room } = await owner(stage);
    const press = (key: string) => ann.page.keyboard.press(key);
    await ann.page.getByRole('heading', { level: 1 }).getByRole('button').press('Enter');
    await ann.page.getByLabel('Topic').waitFor();
    await checkScreen(ann);
    await soon(() => focusedLabel(ann)).toBe('Back');
    await press('Enter');
    await ann.roomPart('About').waitFor();
    await checkScreen(ann, 'room-parts');
    for (const [part, seen] of [
      ['People', ann.page.getByTestId('member')],
      ['Notifications', ann.page.getByLabel('Star this room')],
      ['Pins', ann.page.getByText('Nothing is pinned')],
      ['Files', ann.page.getByText('No files yet')],
      ['Invites', ann.page.getByText('No live invites')],
    ] as const) {
      // The focus is at the row that one comes from.
      await press('Tab');
      await soon(() => focusedText(ann)).toBe(part);
      await press('Enter');
      await seen.waitFor();
      await ann.roomSettings.getByRole('heading', { name: part, exact: true }).waitFor();
      await checkScreen(ann);
      await soon(() => focusedLabel(ann)).toBe('Back');
      await press('Enter');
      await soon(() => focusedText(ann)).toBe(part);
    }
    await press('Escape');
    await ann.roomSettings.waitFor({ state: 'detached' });
    expect(new URL(ann.page.url()).pathname).toBe(`/rooms/${room.id}`);
    expect(await ann.page.evaluate(() => document.activeElement?.textContent)).toBe(room.name);
  });

  test('an owner renames a room, sets its topic and emoji; the header and the list follow', async () => {
    const { ann, room, login } = await owner(stage, 'about');
    const name = uniqueName('renamed');
    await ann.page.getByLabel('Name', { exact: true }).fill(name);
    const hidden = ann.roomSettings.getByText('This contains a character that nobody can see.');
    for (const label of ['Topic', 'Description']) {
      await ann.roomSettings.getByLabel(label).fill('All\u202E about it');
      await ann.button('Save').click();
      await hidden.waitFor();
      await ann.roomSettings.getByLabel(label).fill('All about it');
      await hidden.waitFor({ state: 'detached' });
    }
    const hue = hueOf({ id: room.id + 1 });
    const chosen = ann.page.getByRole('radio', { checked: true });
    await chosen.press('ArrowRight');
    await soon(() => chosen.inputValue()).toBe(hue);
    // Enter in the search chooses, and does not send the form.
    await chooseEmoji(ann, 'artist palette');
    expect(await ann.page.getByRole('status').filter({ hasText: 'Saved' }).count()).toBe(0);
    await ann.button('Save').click();
    await ann.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await ann.page.getByRole('heading', { level: 1, name }).waitFor();
    await ann.page.locator('[data-region=header]').getByText('All about it').waitFor();
    await ann.roomRow(name).waitFor();
    await hasDoor(ann, name, hue, '🎨');
    await ann.log.getByText(`${login.username} painted the door`).waitFor();
    expect(await ann.page.getByText(room.name).count()).toBe(0);
    await checkScreen(ann, 'about');
    await ann.button('No emoji').click();
    expect(
      await ann
        .button('Emoji')
        .last()
        .evaluate((button) => button === document.activeElement),
    ).toBe(true);
    await ann.button('Save').click();
    await hasDoor(ann, name, hue, 'R');
  });

  test('the room says who may pin and call everybody, and whether its threads are followed', async () => {
    const { ann, login, room } = await owner(stage, 'about');
    const pin = ann.page.getByLabel('Pinning messages');
    const call = ann.page.getByLabel('Calling everybody with @room');
    await soon(() => pin.inputValue()).toBe('member');
    await checkScreen(ann);
    await pin.selectOption('moderator');
    const settings = async () => (await findRoom(stage.server, login, room.id))?.settings;
    await soon(settings).toEqual({ pin: 'moderator' });
    await call.selectOption('moderator');
    await soon(settings).toEqual({ pin: 'moderator', mention_room: 'moderator' });
    await ann.goToRoomPart('Notifications');
    const threads = ann.page.getByLabel('Threads', { exact: true });
    await soon(() => threads.inputValue()).toBe('mine');
    await checkScreen(ann);
    for (const level of ['all', 'none', 'mine']) {
      await Promise.all([
        ann.page.waitForResponse((response) => response.url().endsWith('/prefs') && response.ok()),
        threads.selectOption(level),
      ]);
      await ann.page.reload();
      await soon(() => threads.inputValue()).toBe(level);
    }
  });

  test('a room is muted for a while by keyboard, and heard again', async () => {
    const { ann, room } = await owner(stage, 'notifications');
    const mute = ann.page.getByLabel('Mute', { exact: true });
    await mute.focus();
    await mute.selectOption('For an hour');
    await ann.roomRow(room.name).getByText('Muted').waitFor({ state: 'attached' });
    await checkScreen(ann);
    await ann.page.reload();
    await soon(() => mute.inputValue()).toBe('muted');
    await mute.selectOption('Not muted');
    await ann.roomRow(room.name).getByText('Muted').waitFor({ state: 'detached' });
  });

  test('an archived room can be read, and has a bar in place of the composer', async () => {
    const { ann } = await owner(stage, 'about');
    await ann.composer.waitFor();
    await ann.button('Archive room').click();
    await ann.composer.waitFor({ state: 'detached' });
    await ann.page.getByTestId('not-member').getByText('This room is archived').waitFor();
    await checkScreen(ann);
    await ann.button('Restore room').click();
    await ann.composer.waitFor();
  });

  test('an invite link leads into a private room; once ended, it says whom to ask', async () => {
    const { ann, room, login } = await owner(stage, 'invites');
    await ann.button('Create invite link').click();
    const made = ann.page.getByTestId('made-link');
    const link = await made.locator('span').first().innerText();
    await checkScreen(ann);
    const bo = await stage.seat({ login: await stage.account('bo'), path: new URL(link).pathname });
    bo.console.expect(REFUSED);
    const title = `${login.username} invites you to ${room.name}`;
    await bo.page.getByRole('heading', { level: 1, name: title }).waitFor();
    await bo.page.getByText('1 person is in.').waitFor();
    await checkScreen(bo);
    await bo.button('Join room').click();
    await bo.isIn(room.name);
    await ann.button(`Revoke the invite by ${login.username}`).click();
    await ann.page.getByText('No live invites').waitFor();
    await bo.page.goto(new URL(link).pathname);
    await bo.page.getByText('This invite has ended').waitFor();
    await checkScreen(bo);
  });

  test('an owner adds people, gives them roles and removes them', async () => {
    const { ann } = await owner(stage, 'members');
    const bo = await stage.account('bo');
    const member = ann.page.getByTestId('member').filter({ hasText: bo.username });
    await ann.page.getByLabel('Find people').fill(bo.username);
    await ann.button(`Add ${bo.username}`).click();
    await soon(() => focusedLabel(ann)).toBe('Find people');
    await member.waitFor();
    await ann.page.getByLabel(`Role of ${bo.username}`).selectOption('Moderator');
    await soon(() => ann.page.getByLabel(`Role of ${bo.username}`).inputValue()).toBe('moderator');
    await checkScreen(ann);
    await ann.button(`Remove ${bo.username}`).click();
    await member.waitFor({ state: 'detached' });
  });

  test('the settings: a name and a time zone are saved, another session is ended, a blocked person unblocked', async () => {
    const login = await stage.account('ann');
    const bo = await stage.account('bo');
    const room = await createRoom(stage.server, bo);
    const other = await stage.seat();
    // It is signed out.
    other.console.expect(REFUSED);
    await other.choose('Sign in');
    await other.signIn(login.username, login.password);
    await other.rooms.waitFor();
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    const talker = await stage.seat({ login: bo, path: `/rooms/${room.id}` });
    await talker.isIn(room.name);
    await talker.say('hello');
    await ann.page.getByRole('log').getByRole('button', { name: bo.username }).click();
    await ann.page.getByTestId('profile').getByRole('button', { name: 'More' }).click();
    await ann.page.getByTestId('action-menu').getByRole('button', { name: 'Block' }).click();
    await ann.page.getByText(`You blocked ${bo.username}.`).waitFor();
    await checkScreen(ann);

    await ann.me.click();
    await ann.button('Settings').click();
    await ann.page.getByLabel('Display name').fill('Ann of the North');
    await ann.page.getByLabel('Time zone').selectOption('Pacific/Auckland');
    await ann.button('Save').click();
    await ann.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await checkScreen(ann);
    await ann.goToSection('Devices');
    const sessions = ann.page.getByTestId('session');
    await soon(() => sessions.count()).toBeGreaterThan(1);
    const before = await sessions.count();
    await sessions.getByRole('button').first().click();
    await soon(() => sessions.count()).toBe(before - 1);
    // A wrong password is said at its field.
    await ann.goToSection('Password');
    ann.console.expect(/status of 403/);
    const current = ann.page.getByLabel('Current password');
    await current.fill('not this one');
    await ann.page.getByLabel('New password').fill('an entirely new password');
    await ann.page.keyboard.press('Enter');
    await ann.page.getByText('This is not your password.').waitFor();
    await checkScreen(ann);
    await current.fill(login.password);
    await ann.page.keyboard.press('Enter');
    await soon(() => current.inputValue()).toBe('');
    await logIn(stage.server, login.username, 'an entirely new password');
    await ann.goToSection('Blocked people');
    await ann.button(`Unblock: ${bo.username}`).click();
    await ann.page.getByText('You have blocked nobody').waitFor();
    await ann.page.reload();
    await ann.goToSection('Profile');
    expect(await ann.page.getByLabel('Display name').inputValue()).toBe('Ann of the North');
    expect(await ann.page.getByLabel('Time zone').inputValue()).toBe('Pacific/Auckland');
  });

  test('Ctrl Shift M finds people by keys for a direct message; the chosen can be taken back', async () => {
    const bo = await stage.account('bo');
    const { ann } = await owner(stage);
    await ann.page.keyboard.press('Control+Shift+m');
    const dialog = ann.page.getByRole('dialog', { name: 'New message' });
    await soon(() => focusedLabel(ann)).toBe('Find people');
    await ann.page.keyboard.type(bo.username);
    await dialog.getByRole('button', { name: bo.username }).waitFor();
    await soon(() => dialog.getByRole('listitem').count()).toBe(1);
    // What the button says is what Enter does.
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
    await soon(() => focusedLabel(ann)).toBe('Find people');
    await dialog.getByRole('button', { name: `Remove ${bo.username}` }).waitFor();
    await dialog.getByRole('button', { name: 'Start' }).waitFor();
    await checkScreen(ann);
    await dialog.getByRole('button', { name: `Remove ${bo.username}` }).click();
    await dialog.getByRole('button', { name: 'Write to yourself' }).waitFor();
    // What is typed next searches on, whichever button was pressed.
    await soon(() => focusedLabel(ann)).toBe('Find people');
    await ann.page.keyboard.type(bo.username);
    await dialog.getByRole('button', { name: bo.username }).click();
    await soon(() => focusedLabel(ann)).toBe('Find people');
    await ann.page.keyboard.press('Enter');
    await ann.isIn(bo.username);
  });
});

/** The label of what the next key is for. */
const focusedLabel = ({ page }: Person) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** The text of what the next key is for. */
const focusedText = ({ page }: Person) => page.evaluate(() => document.activeElement?.textContent);

/** Finds an emoji for the door by its name. */
async function chooseEmoji(person: Person, name: string): Promise<void> {
  await person.page.getByTestId('door-picker').getByRole('button', { name: 'Emoji', exact: true }).click();
  await person.page.getByRole('combobox', { name: 'Search emoji' }).fill(name);
  await person.page.getByTestId('emoji-picker').getByRole('gridcell').first().waitFor();
  await person.page.keyboard.press('Enter');
  await person.page.getByTestId('emoji-picker').waitFor({ state: 'detached' });
}

/** The list of rooms shows the room by this door. */
async function hasDoor(person: Person, name: string, hue: RoomHue, letter: string): Promise<void> {
  const door = person.roomRow(name).locator('[data-letter]');
  await soon(() => door.getAttribute('data-letter')).toBe(letter);
  await soon(() => door.evaluate((it) => it.style.getPropertyValue('--own-hue'))).toBe(
    String(ROOM_HUES[hue]),
  );
}

/** Somebody in a room of theirs, with a part of its settings beside it. */
async function owner(
  stage: Stage,
  part?: string,
): Promise<{ ann: Person; login: Login; room: { id: number; name: string } }> {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const path = part === undefined ? `/rooms/${room.id}` : `/rooms/${room.id}/${part}`;
  const ann = await stage.seat({ login, path });
  await ann.isIn(room.name);
  return { ann, login, room };
}
