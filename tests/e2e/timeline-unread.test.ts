/** Unread messages: where a room opens, the divider above the first of them, and when they count as read. */
import { expect, test } from 'vitest';
import { readUpTo } from '../support/read-marks.ts';
import { uniqueName } from '../support/users.ts';
import { freezeOwnRooms } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import {
  distanceToEnd,
  holdRoomList,
  isInSight,
  lastShown,
  lineAbove,
  loseReadMarks,
  OLDER,
  seqsInSight,
  visitPast,
} from './timeline-page.ts';

onStage(
  'unread messages',
  (stage) => {
    test('the room opens at the first of them, under a divider that stays while the user reads on', async () => {
      const { ann, bo, room } = await visitPast(stage, { count: 300, readUpTo: 200 });
      await soon(() => lineAbove(ann)).toBe(201);
      await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
      await soon(() => ann.toEnd.textContent()).toMatch(/^\d+ new$/);
      await ann.toEnd.click();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      bo.send({ type: 'message', content: 'read at once' });
      await ann.message('read at once').waitFor();
      expect(await lineAbove(ann)).toBe(201);

      await ann.createRoom(uniqueName('elsewhere'));
      await ann.openRoom(room.name);
      expect(await lineAbove(ann)).toBeNull();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
    });

    test('they are unread until they have been seen', async () => {
      const { ann, room } = await visitPast(stage, { count: 300, readUpTo: 200 });
      await soon(() => lineAbove(ann)).toBe(201);
      await ann.page.reload();
      await ann.isIn(room.name);
      await soon(() => lineAbove(ann)).toBe(201);
      await readToEnd(ann);
      await ann.page.reload();
      await ann.isIn(room.name);
      expect(await lineAbove(ann)).toBeNull();
    });

    test('what was read just before a reload stays read, also when the saved list is older than that', async () => {
      const { ann, annLogin, room } = await visitPast(stage, { count: 300, readUpTo: 300 });
      await freezeOwnRooms(ann, annLogin.userId, room.id);
      await ann.page.goto('/favicon.svg');
      await readUpTo(stage.server, annLogin, room.id, 200);
      await loseReadMarks(ann);
      await ann.page.goto(`/rooms/${room.id}`);
      await ann.isIn(room.name);
      await soon(() => lineAbove(ann)).toBe(201);
      await readToEnd(ann);
      await ann.page.reload();
      await ann.isIn(room.name);
      expect(await lineAbove(ann)).toBeNull();
    });

    test('a room that was never opened here has no divider', async () => {
      const { ann } = await visitPast(stage, { count: 120 });
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      expect(await lineAbove(ann)).toBeNull();
    });

    test('of more than 1000 the end is shown, with a button that leads to the first', async () => {
      const { ann } = await visitPast(stage, { count: 1500, readUpTo: 100 });
      await soon(() => lastShown(ann)).toBe(1500);
      const bar = ann.page.getByTestId('unread-bar');
      await bar.getByText('1,400 new messages').waitFor();
      await bar.getByRole('button', { name: 'Jump to first unread' }).click();
      await soon(() => lineAbove(ann)).toBe(101);
      await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
      expect(await bar.count()).toBe(0);
    });

    test('more than 1000 are read when the user scrolls back to the first, and on to the end', async () => {
      const { ann, room } = await visitPast(stage, { count: 1200, readUpTo: 150 });
      const bar = ann.page.getByTestId('unread-bar');
      await bar.getByText('1,050 new messages').waitFor();
      for (let turns = 0; (await bar.count()) > 0 && turns < 200; turns++) {
        expect((await seqsInSight(ann))[0]).toBeGreaterThan(151);
        await ann.wheel(-1500);
      }
      expect(await lineAbove(ann)).toBe(151);
      expect((await seqsInSight(ann))[0]).toBeLessThanOrEqual(151);
      await readToEnd(ann);
      await ann.page.reload();
      await ann.isIn(room.name);
      expect(await bar.count()).toBe(0);
      expect(await lineAbove(ann)).toBeNull();
    });

    test('the first is found even when there are more than are held, in a busy room', async () => {
      const { ann, bo } = await visitPast(stage, { count: 4500, readUpTo: 100 });
      const bar = ann.page.getByTestId('unread-bar');
      await bar.getByText('4,400 new messages').waitFor();
      let said = 0;
      await ann.page.route(OLDER, async (route) => {
        said += 1;
        bo.send({ type: 'message', content: `meanwhile ${said}` });
        await ann.message(`meanwhile ${said}`).waitFor({ state: 'attached' });
        await route.continue();
      });
      await bar.getByRole('button', { name: 'Jump to first unread' }).click();
      await soon(() => lineAbove(ann)).toBe(101);
      await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
      expect(said).toBeLessThan(40);
      // What was found stays, as its reader is there.
      bo.send({ type: 'message', content: 'and on' });
      await soon(() => ann.toEnd.textContent()).toBe('1 new');
      expect(await lineAbove(ann)).toBe(101);
    });

    test('a search for the first that fails says why, and continues from there when asked again', async () => {
      const { ann, bo } = await visitPast(stage, { count: 4500, readUpTo: 100 });
      ann.console.expect(/status of 429/);
      const bar = ann.page.getByTestId('unread-bar');
      const go = bar.getByRole('button', { name: 'Jump to first unread' });
      let pages = 0;
      await ann.page.route(OLDER, (route) => {
        pages += 1;
        return pages === 20 ? route.fulfill({ status: 429, json: {} }) : route.continue();
      });
      await go.click();
      await ann.page.getByTestId('toasts').getByText("You're going too fast.").waitFor();
      await go.waitFor();
      bo.send({ type: 'message', content: 'meanwhile' });
      await ann.message('meanwhile').waitFor();
      await go.click();
      await soon(() => lineAbove(ann)).toBe(101);
      // Nothing was loaded twice.
      expect(pages).toBeLessThan(30);
    });

    test('seeing the end of more than 1000 does not mark them as read; the button does', async () => {
      const { ann, bo, room } = await visitPast(stage, { count: 1500, readUpTo: 100 });
      const bar = ann.page.getByTestId('unread-bar');
      const listed = () => ann.roomRow(room.name).getByTestId('room-unread').allTextContents();
      await bar.getByText('1,400 new messages').waitFor();
      bo.send({ type: 'message', content: 'one more' });
      await bar.getByText('1,401 new messages').waitFor();
      // One's own are not new.
      for (const content of ['mine 1', 'mine 2', 'mine 3']) await ann.say(content);
      await ann.message('mine 3').waitFor();
      bo.send({ type: 'message', content: 'and another' });
      await bar.getByText('1,402 new messages').waitFor();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      await ann.page.reload();
      await ann.isIn(room.name);
      await bar.getByText('1,402 new messages').waitFor();
      await soon(async () => (await listed()).join()).toContain('99+');

      await bar.getByRole('button', { name: 'Mark as read' }).click();
      await soon(() => bar.count()).toBe(0);
      await soon(listed).toEqual([]);
      bo.send({ type: 'message', content: 'read as it comes' });
      await ann.message('read as it comes').waitFor();
      expect(await listed()).toEqual([]);
      await ann.page.reload();
      await ann.isIn(room.name);
      expect(await bar.count()).toBe(0);
      expect(await lineAbove(ann)).toBeNull();
    });

    test('a slow list of rooms loses none: the button comes with it, and the reader stays at the end', async () => {
      const { ann, bo, room } = await visitPast(stage, { count: 300, readUpTo: 200 });
      await soon(() => lineAbove(ann)).toBe(201);
      const release = await holdRoomList(ann);
      await ann.page.reload();
      await ann.isIn(room.name);
      bo.send({ type: 'message', content: 'seen, but not the ones before' });
      await ann.message('seen, but not the ones before').waitFor();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      const bar = ann.page.getByTestId('unread-bar');
      expect(await bar.count()).toBe(0);

      release();
      await bar.getByText('101 new messages').waitFor();
      expect(await lineAbove(ann)).toBeNull();
      expect(await distanceToEnd(ann)).toBeLessThan(2);
      await bar.getByRole('button', { name: 'Jump to first unread' }).click();
      await soon(() => lineAbove(ann)).toBe(201);
      await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
      await soon(() => bar.count()).toBe(0);
    });

    test('with a slow list of rooms, those in sight at the end are read without the button', async () => {
      const { ann, annLogin, room } = await visitPast(stage, { count: 300, readUpTo: 298 });
      await soon(() => lineAbove(ann)).toBe(299);
      await ann.page.goto('/favicon.svg');
      await readUpTo(stage.server, annLogin, room.id, 300);
      await readUpTo(stage.server, annLogin, room.id, 298);
      const release = await holdRoomList(ann);
      await ann.page.goto(`/rooms/${room.id}`);
      await ann.isIn(room.name);
      expect(await lineAbove(ann)).toBeNull();
      release();
      await soon(() => lineAbove(ann)).toBe(299);
      expect(await distanceToEnd(ann)).toBeLessThan(2);
      expect(await ann.page.getByTestId('unread-bar').count()).toBe(0);
      await soon(() => ann.roomRow(room.name).getByTestId('room-unread').count()).toBe(0);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

async function readToEnd(person: Person): Promise<void> {
  await person.toEnd.click();
  await soon(() => person.toEnd.count()).toBe(0);
}
