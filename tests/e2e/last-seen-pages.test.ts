/** Without a server, the pages of a user show what was there before, and say that the connection is down. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, removeMember, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptMessages, keptPages, keptRooms, pagesWith } from './last-seen-page.ts';
import { onStageWithWorker, soon } from './stage.ts';
import { two } from './two-people.ts';

onStageWithWorker('pages last seen', (stage) => {
  test('inbox, threads, saved and all rooms are there without a server, and up to date once it is back', async () => {
    const { ann, bo, room, login, other } = await two(stage);
    ann.console.expect(UNREACHABLE, /status of 401/);
    await ann.say('where shall we meet?');
    await bo.message('where shall we meet?').hover();
    await bo.button('Thread').click();
    const field = bo.page.getByTestId('thread-panel').getByRole('textbox');
    await field.fill('at the station');
    await field.press('Enter');
    await bo.say(`@${login.username} lunch?`);
    await ann.message('lunch?').waitFor();
    await soon(() => ann.page.getByTestId('thread-line').textContent()).toContain(other.username);
    await ann.message('lunch?').hover();
    await ann.button('More').click();
    await ann.button('Save for later S').click();
    await ann.page.getByText('Saved for later', { exact: true }).waitFor();
    const { page } = ann;
    const inbox = page.getByTestId('inbox-entry').filter({ hasText: 'lunch?' });
    const thread = page.getByTestId('followed-thread').filter({ hasText: 'where shall we meet?' });
    const saved = page.getByTestId('message-card').filter({ hasText: 'lunch?' });
    const listed = page.getByTestId('browse-room').filter({ hasText: room.name });
    await ann.page.getByTestId('inbox-place').click();
    await inbox.waitFor();
    await ann.page.getByTestId('threads-place').click();
    await thread.waitFor();
    await ann.page.getByTestId('saved-place').click();
    await saved.waitFor();
    expect(await ann.banner.count()).toBe(0);
    await ann.isKept();
    await keptPages(ann, login.userId, ['inbox', 'threads', 'saved', 'people']);
    await keptMessages(ann, login.userId, room.id);
    await keptRooms(ann, login.userId, room.name);

    await page.context().setOffline(true);
    for (const [path, shown] of [
      ['/inbox', inbox],
      ['/threads', thread],
      ['/saved', saved],
      ['/browse', listed],
    ] as const) {
      await page.goto(path);
      await shown.waitFor();
      await ann.banner.getByText('Offline').waitFor();
      if (path === '/inbox') await checkScreen(ann);
    }
    await page.getByLabel('Find a room').fill('nothing like it');
    await page.getByText('No rooms found').waitFor();
    await page.getByLabel('Find a room').fill(room.name.toUpperCase());
    await listed.waitFor();
    await page.goto(`/rooms/${room.id}`);
    await soon(() => page.getByTestId('thread-line').textContent()).toContain(other.username);

    await page.goto('/saved');
    await saved.waitFor();
    await page.context().setOffline(false);
    await soon(() => ann.banner.count()).toBe(0);
    await ann.button('Remove').click();
    await page.getByText('Nothing saved yet').waitFor();
  });

  test('a room that the user has lost is gone from inbox, threads and saved, on the screen and on the device', async () => {
    const [owner, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, owner, uniqueName('lost'), 'private');
    await addMember(stage.server, owner, room.id, bo.userId);
    const line = await RoomLine.enter(stage.server, owner, room.id);
    const { id } = await line.post(`@${bo.username} the secret place`);
    line.send({ type: 'message', room_id: room.id, content: 'at the lake', cid: 'reply', thread_id: id });
    await line.waitFor('ack', ({ cid }) => cid === 'reply');
    const of = `/api/v1/rooms/${room.id}`;
    for (const path of [`${of}/messages/${id}/saved`, `${of}/threads/${id}/follow`])
      expect((await send(stage.server, path, { method: 'PUT', token: bo.accessToken })).status).toBeLessThan(
        300,
      );

    const seat = await stage.seat({ login: bo, path: '/inbox' });
    const { page } = seat;
    const shown = page.getByRole('main').getByText('the secret place').first();
    await shown.waitFor();
    await page.getByTestId('threads-place').click();
    await page.getByTestId('followed-thread').waitFor();
    await page.getByTestId('saved-place').click();
    await page.getByTestId('message-card').waitFor();
    await pagesWith(seat, bo.userId, 'the secret place', ['inbox', 'saved', 'threads']);
    await removeMember(stage.server, owner, room.id, bo.userId);
    await page.getByTestId('message-card').waitFor({ state: 'detached' });
    await pagesWith(seat, bo.userId, 'the secret place', []);
    for (const place of ['threads-place', 'inbox-place']) {
      await page.getByTestId(place).click();
      expect(await shown.count()).toBe(0);
    }
    await pagesWith(seat, bo.userId, 'the secret place', []);
  });
});
