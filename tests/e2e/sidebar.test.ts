/** The list of rooms: the search field, counts, drafts, and what the tab's title says. */
import { expect, test } from 'vitest';
import { readUpTo } from '../support/read-marks.ts';
import { addMember, createRoom, type Login, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage(
  'the sidebar',
  (stage) => {
    test('what is typed into the search field is searched for, and a room is created from it', async () => {
      const login = await stage.account('ann');
      const tea = await createRoom(stage.server, login, uniqueName('Tea'));
      const ann = await stage.seat({ login });
      await ann.roomRow(tea.name).waitFor();
      await ann.search.focus();
      await ann.page.keyboard.press('t');
      await soon(() => ann.switcher.getByRole('combobox').inputValue()).toBe('t');
      await ann.page.keyboard.type('ea');
      await ann.found(tea.name).waitFor();

      const fresh = `§${uniqueName('Cocoa')}`;
      await ann.switcher.getByRole('combobox').fill(fresh);
      await ann.button(`Create “${fresh}”`).click();
      await ann.button('Create room').click();
      await ann.isIn(fresh);
      await ann.roomRow(tea.name).waitFor();
    });

    test('“+” leads to a new message, a new room, and a link that invites; so does the heading of the people', async () => {
      const bo = await stage.account('bo');
      const { ann, rooms } = await inFirstOf(stage, 1);
      await ann.new.click();
      await checkScreen(ann);
      await ann.newItem('New message').click();
      const dialog = ann.page.getByRole('dialog', { name: 'New message' });
      await dialog.getByRole('searchbox').fill(bo.username);
      await dialog.getByRole('button', { name: bo.username }).click();
      await dialog.getByRole('button', { name: 'Start' }).click();
      await ann.isIn(bo.username);

      await ann.openRoom(rooms[0].name);
      await ann.new.click();
      await ann.newItem('Invite people').click();
      const invite = ann.page.getByRole('dialog', { name: 'Invite people' });
      expect(await invite.getByRole('combobox').locator('option:checked').textContent()).toBe(rooms[0].name);
      await invite.getByRole('button', { name: 'Create invite link' }).click();
      await checkScreen(ann);
      const link = (await invite.getByTestId('made-link').locator('span').first().textContent()) ?? '';
      const guest = await stage.seat({ login: bo, path: new URL(link).pathname });
      await guest.button('Join room').click();
      await guest.isIn(rooms[0].name);

      await ann.page.keyboard.press('Escape');
      await ann.rooms.getByRole('button', { name: 'New message' }).click();
      await dialog.waitFor();
    });

    test('the open room is a tab of the sheet, of normal weight: only unread rooms are bold', async () => {
      const { ann, rooms } = await inFirstOf(stage, 1);
      const row = ann.roomRow(rooms[0].name);
      const { weight, paper, edge } = await row.evaluate((element) => ({
        weight: getComputedStyle(element).fontWeight,
        paper: getComputedStyle(element).backgroundColor,
        edge: element.getBoundingClientRect().right,
      }));
      expect(weight).toBe('400');
      const sheet = ann.page.locator('main > div').first();
      expect(await sheet.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(paper);
      // It covers the line of the sheet's edge.
      expect(edge).toBe(((await sheet.boundingBox())?.x ?? 0) + 1);
    });

    test('arrows move from the search field through the rooms and back', async () => {
      const login = await stage.account('ann');
      const names = [uniqueName('arrow'), uniqueName('arrow')];
      for (const name of names) await createRoom(stage.server, login, name);
      const [older = '', newer = ''] = names;
      const ann = await stage.seat({ login });
      await ann.roomRow(newer).waitFor();
      const { keyboard } = ann.page;
      const focusedText = () => ann.page.evaluate(() => document.activeElement?.textContent ?? '');
      await ann.search.focus();
      await keyboard.press('ArrowDown');
      expect(await focusedText()).toContain(newer);
      await keyboard.press('ArrowDown');
      expect(await focusedText()).toContain(older);
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowUp');
      expect(await focused(ann)).toBe('Search or jump');
    });

    test('messages after the last read one are counted, in the list and in the title', async () => {
      const { ann, login, rooms } = await inFirstOf(stage, 2);
      const [here, elsewhere] = rooms;
      await expectUnread(ann, elsewhere.name, '');
      const bo = await ChatClient.enter(stage.server, await stage.account('bo'), elsewhere.id);
      for (const content of ['one', 'two', 'three']) bo.send({ type: 'message', content });
      await bo.waitForCount('message', 3);
      await expectUnread(ann, elsewhere.name, '3');
      await readUpTo(stage.server, login, elsewhere.id, 1);
      await expectUnread(ann, elsewhere.name, '2');
      await soon(() => ann.page.title()).toBe(`(2) ${here.name} · Roomful`);
      await ann.roomRow(elsewhere.name).getByText('2 unread messages').waitFor({ state: 'attached' });
      const weight = await ann.roomRow(elsewhere.name).evaluate((row) => getComputedStyle(row).fontWeight);
      expect(Number(weight)).toBeGreaterThan(600);
    });

    test('Shift Escape marks all rooms as read, and that can be undone', async () => {
      const { ann, rooms } = await inFirstOf(stage, 3);
      const [here, ...others] = rooms;
      for (const { id, name } of others) {
        const bo = await ChatClient.enter(stage.server, await stage.account('bo'), id);
        bo.send({ type: 'message', content: 'one' });
        await expectUnread(ann, name, '1');
      }
      await ann.page.keyboard.press('Shift+Escape');
      for (const { name } of others) await expectUnread(ann, name, '');
      await soon(() => ann.page.title()).toBe(`${here.name} · Roomful`);
      await ann.page.getByText('All rooms are marked as read').waitFor();
      await ann.button('Undo').click();
      for (const { name } of others) await expectUnread(ann, name, '1');
    });

    test('rooms with unread messages are a group above the others, and a room moves only when the pointer has left', async () => {
      const { ann, rooms } = await inFirstOf(stage, 2);
      const [, elsewhere] = rooms;
      const bo = await ChatClient.enter(stage.server, await stage.account('bo'), elsewhere.id);
      bo.send({ type: 'message', content: 'hello' });
      await bo.waitForCount('message', 1);
      await ann.refreshRooms();
      const inGroup = (group: string) => ann.rooms.getByRole('list', { name: group, exact: true });
      await inGroup('Unread').getByText(elsewhere.name).waitFor();
      await ann.openRoom(elsewhere.name);
      await ann.message('hello').waitFor();
      await expectUnread(ann, elsewhere.name, '');
      // The pointer is where it clicked.
      expect(await inGroup('Unread').getByText(elsewhere.name).isVisible()).toBe(true);
      await ann.log.hover();
      await inGroup('Rooms').getByText(elsewhere.name).waitFor();
      expect(await inGroup('Unread').count()).toBe(0);
    });

    test('a group folds, also after a reload, and the open room stays in sight', async () => {
      const { ann, rooms } = await inFirstOf(stage, 2);
      const [here, other] = rooms;
      const head = ann.rooms.getByRole('button', { name: 'Rooms', exact: true });
      await head.click();
      expect(await head.getAttribute('aria-expanded')).toBe('false');
      await ann.roomRow(other.name).waitFor({ state: 'hidden' });
      expect(await ann.roomRow(here.name).isVisible()).toBe(true);
      await ann.page.reload();
      await ann.isIn(here.name);
      expect(await ann.roomRow(other.name).count()).toBe(0);
      await head.press('Enter');
      await ann.roomRow(other.name).waitFor();
    });

    test('a row is 34 pixels high at a desk, 48 in the rail, and 68 on a phone', async () => {
      const { ann, rooms } = await inFirstOf(stage, 1);
      const height = async () => (await ann.roomRow(rooms[0].name).boundingBox())?.height;
      expect(await height()).toBe(34);
      await ann.page.setViewportSize({ width: 840, height: 844 });
      await soon(height).toBe(48);
      await checkScreen(ann);
      await ann.page.setViewportSize({ width: 390, height: 844 });
      await ann.button('Back to rooms').click();
      await soon(height).toBe(68);
    });

    test('what calls the reader has the last words beneath the name, and comes first', async () => {
      const { ann, login, rooms } = await inFirstOf(stage, 3);
      const [, quiet, calling] = rooms;
      for (const [{ id }, content] of [
        [calling, `look @${login.username}`],
        [quiet, 'hello'],
      ] as const) {
        const bo = await ChatClient.enter(stage.server, await stage.account('bo'), id);
        bo.send({ type: 'message', content });
        await bo.waitForCount('message', 1);
      }
      await expectUnread(ann, quiet.name, '1');
      await expectUnread(ann, calling.name, '1');
      const names = await ann.rooms
        .getByRole('list', { name: 'Unread' })
        .getByTestId('room')
        .allTextContents();
      expect(names[0]).toContain(calling.name);
      await ann.roomRow(calling.name).getByTestId('room-last').getByText('look').waitFor();
      expect(await ann.roomRow(quiet.name).getByTestId('room-last').count()).toBe(0);
    });

    test('of many unread rooms eight are shown, the rest on demand; “Mark all read” ends them all', async () => {
      const { ann, rooms } = await inFirstOf(stage, 12);
      const others = rooms.slice(1) as readonly RoomAt[];
      for (const { id } of others) {
        const bo = await ChatClient.enter(stage.server, await stage.account('bo'), id);
        bo.send({ type: 'message', content: 'hello' });
        await bo.waitForCount('message', 1);
      }
      await ann.log.hover();
      const unread = ann.rooms.getByRole('list', { name: 'Unread' }).getByTestId('room');
      await ann.rooms.getByRole('button', { name: '3 more' }).waitFor();
      await soon(() => unread.count()).toBe(8);
      await ann.rooms.getByRole('button', { name: '3 more' }).click();
      await soon(() => unread.count()).toBe(11);
      await ann.rooms.getByRole('button', { name: 'Show fewer' }).click();
      await soon(() => unread.count()).toBe(8);
      await ann.rooms.getByRole('button', { name: 'Mark all read' }).click();
      await ann.log.hover();
      await soon(() => unread.count()).toBe(0);
      await ann.button('Undo').click();
      await soon(() => unread.count()).toBe(8);
    });

    test('a row has a menu: by right-click, and by its button', async () => {
      const { ann, login } = await inFirstOf(stage, 1);
      const bo = await stage.account('bo');
      const other = await createRoom(stage.server, bo);
      await addMember(stage.server, bo, other.id, login.userId);
      await ann.roomRow(other.name).waitFor();
      const group = (name: string) => ann.rooms.getByRole('list', { name, exact: true });
      const menu = ann.page.getByRole('dialog', { name: other.name });
      await ann.roomRow(other.name).click({ button: 'right' });
      await checkScreen(ann);
      await menu.getByRole('button', { name: 'Star' }).click();
      await menu.waitFor({ state: 'hidden' });
      await ann.log.hover();
      await group('Starred').getByText(other.name).waitFor();

      await ann.roomRow(other.name).hover();
      await ann.button(`Menu of ${other.name}`).click();
      await ann.page.keyboard.press('ArrowUp');
      await soon(() => focused(ann)).toContain('Leave room');
      await ann.page.keyboard.press('Enter');
      await ann.page.getByText(`You left ${other.name}`).waitFor();
      await ann.log.hover();
      await soon(() => ann.roomRow(other.name).count()).toBe(0);
      await ann.button('Undo').click();
      await ann.roomRow(other.name).waitFor();
    });

    test('messages in another room are counted until the user opens it', async () => {
      const { ann, rooms } = await inFirstOf(stage, 2);
      const [quiet, busy] = rooms;
      await ann.openRoom(busy.name);
      await ann.openRoom(quiet.name);
      const bo = await stage.seat({ login: await stage.account('bo'), path: `/rooms/${busy.id}` });
      await bo.isIn(busy.name);
      await bo.say('are you there?');
      await bo.message('are you there?').waitFor();
      await ann.refreshRooms();
      await expectUnread(ann, busy.name, '1');
      await soon(() => ann.page.title()).toBe(`(1) ${quiet.name} · Roomful`);
      await expectUnread(bo, busy.name, '');
      await ann.page.bringToFront();
      await ann.openRoom(busy.name);
      await ann.message('are you there?').waitFor();
      await expectUnread(ann, busy.name, '');
      await soon(() => ann.page.title()).toBe(`${busy.name} · Roomful`);
    });

    test('a room that the user is no member of has no count; a hundred is 99+', async () => {
      const { ann, rooms } = await inFirstOf(stage, 2);
      const [here, busy] = rooms;
      const foreign = await createRoom(stage.server, await stage.account('cy'));
      for (const room of [foreign, busy]) {
        const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
        for (let index = 0; index < 105; index++) bo.send({ type: 'message', content: `${index}` });
        await bo.waitForCount('message', 105);
      }
      await expectUnread(ann, busy.name, '99+');
      await ann.refreshRooms();
      // Search finds it, the list has the user's own rooms.
      expect(await ann.roomRow(foreign.name).count()).toBe(0);
      await ann.searchFor(foreign.name);
      expect(await ann.found(foreign.name).getByTestId('room-unread').count()).toBe(0);
      await soon(() => ann.page.title()).toBe(`(99+) ${here.name} · Roomful`);
    });

    test('a room with a draft has a pencil, in every tab, until the draft is sent', async () => {
      const { ann, rooms } = await inFirstOf(stage, 2);
      const [first, second] = rooms;
      const draftOf = (person: Person, name: string) => person.roomRow(name).getByTestId('room-draft');
      await ann.composer.fill('half a thought');
      expect(await draftOf(ann, first.name).count()).toBe(0);
      await ann.openRoom(second.name);
      await draftOf(ann, first.name).waitFor({ state: 'attached' });

      const other = await ann.openTab(`/rooms/${second.id}`);
      await other.isIn(second.name);
      await draftOf(other, first.name).waitFor({ state: 'attached' });
      await other.openRoom(first.name);
      await other.composer.press('Enter');
      await other.message('half a thought').waitFor();
      await soon(() => draftOf(ann, first.name).count()).toBe(0);
    });

    test('of hundreds of rooms only those in sight are in the document; older ones are found by search', async () => {
      const login = await stage.account('ann');
      // Nobody is a member of that many.
      const other = await stage.account('bo');
      const oldest = uniqueName('oldest');
      await createRoom(stage.server, other, oldest);
      const names = Array.from({ length: 510 }, (_, index) => uniqueName(`many-${index}`));
      for (let index = 0; index < names.length; index += 30) {
        await Promise.all(
          names
            .slice(index, index + 30)
            .map((name, at) => createRoom(stage.server, at % 2 === 0 ? login : other, name)),
        );
      }
      const ann = await stage.seat({ login });
      const newest =
        (await ann.page.getByTestId('room').first().locator('[title]').first().textContent()) ?? '';
      expect(await ann.page.getByTestId('room').count()).toBeLessThan(80);
      const list = ann.rooms.getByRole('list', { name: 'Rooms', exact: true });
      await list.hover();
      const [last = ''] = names.slice(10, 11);
      await soon(async () => {
        await ann.page.mouse.wheel(0, 4000);
        return await ann.roomRow(last).count();
      }).toBe(1);
      expect(await ann.page.getByTestId('room').count()).toBeLessThan(80);

      // The list is scrolled far down.
      await ann.searchFor(newest);
      await ann.page.keyboard.press('Enter');
      await ann.isIn(newest);
      await soon(() => isInSight(ann, newest)).toBe(true);

      await ann.openRoom(oldest);
      await soon(() => isInSight(ann, oldest)).toBe(true);
    });
  },
  { RATE_LIMIT_PER_SECOND: '0' },
);

/** The row is there, and not scrolled out of the list. */
async function isInSight(person: Person, room: string): Promise<boolean> {
  const row = await person.roomRow(room).boundingBox();
  const list = await person.roomRow(room).locator('xpath=ancestor::section/..').boundingBox();
  if (row === null || list === null) return false;
  return row.y >= list.y && row.y + row.height <= list.y + list.height;
}

async function expectUnread(person: Person, room: string, count: string): Promise<void> {
  await person.roomRow(room).waitFor();
  await soon(async () =>
    (await person.roomRow(room).getByTestId('room-unread').allTextContents()).join(),
  ).toBe(count);
}

type Rooms = [first: RoomAt, second: RoomAt, third: RoomAt];
interface RoomAt {
  readonly id: number;
  readonly name: string;
}

/** Somebody in the first of some rooms. */
async function inFirstOf(stage: Stage, count: number): Promise<{ ann: Person; login: Login; rooms: Rooms }> {
  const login = await stage.account('ann');
  const rooms: RoomAt[] = [];
  for (let index = 0; index < count; index++) rooms.push(await createRoom(stage.server, login));
  const ann = await stage.seat({ login, path: `/rooms/${rooms[0]?.id}` });
  await ann.isIn(rooms[0]?.name ?? '');
  return { ann, login, rooms: rooms as Rooms };
}
