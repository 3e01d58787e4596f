/** A server of a later release may send what this client does not know, and a page may fail. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, removeMember, uniqueName } from '../support/users.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';

onStage('what only a newer server sends', (stage) => {
  test('a kind of notice that the client does not know is a sentence without details', async () => {
    const [owner, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, owner, uniqueName('news'), 'private');
    await addMember(stage.server, owner, room.id, bo.userId);
    const line = await RoomLine.enter(stage.server, owner, room.id);
    await line.post('lunch?');
    const seat = await stage.seat({ login: bo });
    await fromServer(seat, '"kind":"added"', '"kind":"teleported"');
    await seat.openRoom(room.name);
    await seat.message('lunch?').waitFor();
    await seat.log.getByText('did something that a newer version can show').waitFor();
    await addMember(stage.server, owner, room.id, (await stage.account('cy')).userId);
    await soon(() => seat.log.getByText('did something that a newer version can show').count()).toBe(2);
  });

  test('a page that cannot be shown leaves the others as they are', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const line = await RoomLine.enter(stage.server, login, room.id);
    await line.post('when?');
    const seat = await stage.seat({ login, path: '/saved' });
    seat.console.expect(/RangeError|The above error occurred|error boundary/);
    await fromServer(seat, /"created_at":"[^"]*"/g, '"created_at":"at dawn"');
    await seat.roomRow(room.name).click();
    await seat.page.getByTestId('broken').getByRole('heading').waitFor();
    await seat.page.getByTestId('saved-place').click();
    await seat.page.getByText('Nothing saved yet').waitFor();
    expect(await seat.page.getByTestId('broken').count()).toBe(0);
  });

  test('a reason of "gone" that the client does not know closes the room like any other', async () => {
    const [owner, bo] = [await stage.account('ann'), await stage.account('bo')];
    const room = await createRoom(stage.server, owner, uniqueName('gone'), 'private');
    await addMember(stage.server, owner, room.id, bo.userId);
    const seat = await stage.seat({ login: bo });
    await fromServer(seat, '"reason":"removed"', '"reason":"moved"');
    await seat.openRoom(room.name);
    await seat.isIn(room.name);
    await removeMember(stage.server, owner, room.id, bo.userId);
    await soon(() => seat.page.getByTestId('room-gone').getByRole('heading').textContent()).toBe(
      "This room doesn't exist",
    );
  });
});

/** From the next page on, which it opens, what the server sends has these words in the place of others. */
async function fromServer({ page }: Person, words: string | RegExp, others: string): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((data) => socket.send(data.toString().replaceAll(words, others)));
  });
  await page.route('**/messages?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(words, others) });
  });
  await page.reload();
}
