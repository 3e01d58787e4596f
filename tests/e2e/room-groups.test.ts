/** The list of rooms: its groups, and the badges in them. */
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { onStage, soon } from './stage.ts';

onStage('groups of rooms', (stage) => {
  test('the badge of a direct message is warm, that of a room is not; direct messages come first', async () => {
    const [login, bo] = [await stage.account('ann'), await stage.account('bo')];
    const token = login.accessToken;
    const here = await createRoom(stage.server, login, uniqueName('here'));
    const room = await createRoom(stage.server, login, uniqueName('loud'));
    const dm = await post(stage.server, '/api/v1/dms', { user_ids: [bo.userId] }, { token });
    const { id: dmId } = dm.json as { id: number };
    const ann = await stage.seat({ login, path: `/rooms/${here.id}` });
    await ann.isIn(here.name);
    const line = await LineClient.start(stage.server, bo);
    await line.post(dmId, 'to ann');
    await line.post(room.id, 'to everybody');
    const badge = (name: string) => ann.roomRow(name).getByTestId('room-unread');
    for (const name of [bo.username, room.name]) await soon(() => badge(name).textContent()).toBe('1');
    const colour = (name: string) =>
      badge(name)
        .locator('..')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const warm = await ann.page.evaluate(() => {
      const probe = document.createElement('p');
      probe.style.backgroundColor = 'var(--warm)';
      document.body.append(probe);
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    });
    await soon(() => colour(bo.username)).toBe(warm);
    expect(await colour(room.name)).not.toBe(warm);
    const unread = ann.rooms.getByRole('list', { name: 'Unread', exact: true });
    await soon(() => unread.getByTestId('room').first().textContent()).toContain(bo.username);
    await checkScreen(ann);
    await line.close();
  });

  test('a starred room and a direct conversation have groups of their own', async () => {
    const [login, bo] = [await stage.account('ann'), await stage.account('bo')];
    const token = login.accessToken;
    const room = await createRoom(stage.server, login, uniqueName('favourite'));
    await post(stage.server, '/api/v1/dms', { user_ids: [bo.userId] }, { token });
    const ann = await stage.seat({ login, path: `/rooms/${room.id}/notifications` });
    await ann.isIn(room.name);
    const inGroup = (group: string, name: string) =>
      ann.rooms.getByRole('list', { name: group, exact: true }).getByText(name);
    await inGroup('Rooms', room.name).waitFor();
    await inGroup('People', bo.username).waitFor();
    await ann.page.getByLabel('Star this room').check();
    await inGroup('Starred', room.name).waitFor();
    await ann.page.getByLabel('Star this room').uncheck();
    await inGroup('Rooms', room.name).waitFor();
  });
});
