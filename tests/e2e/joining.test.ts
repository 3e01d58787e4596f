/** Joining a public room without a connection: the device keeps the wish until the server is back. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, uniqueName } from '../support/users.ts';
import { REFUSED, UNREACHABLE } from './console-watch.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

const WAITING = "You'll join when you're back online";

onStageWithWorker('joining without a server', (stage) => {
  test('says that the room is joined when the server is back, and joins it', async () => {
    const { ann, bar, room } = await looking(stage);
    await stage.killServer();
    await bar.getByRole('button', { name: 'Join' }).click();
    await bar.getByText(WAITING).waitFor();
    expect(await bar.getByRole('button').count()).toBe(0);
    await stage.server.restart();
    await bar.waitFor({ state: 'detached' });
    await ann.roomRow(room.name).waitFor();
    await soon(() => ann.stored(room.joinsKey)).toBeNull();
  });

  test('is kept while the page is closed', async () => {
    const { ann, bar, room } = await looking(stage);
    await stage.killServer();
    await bar.getByRole('button', { name: 'Join' }).click();
    await bar.getByText(WAITING).waitFor();
    await ann.page.reload();
    await ann.rooms.waitFor();
    expect(await ann.stored(room.joinsKey)).toBe(String(room.id));
    await stage.server.restart();
    await ann.isIn(room.name);
    await ann.roomRow(room.name).waitFor();
    await soon(() => ann.stored(room.joinsKey)).toBeNull();
    await bar.waitFor({ state: 'detached' });
  });

  test('is forgotten when the room may not be joined any more', async () => {
    const { ann, bar, room, owner } = await looking(stage);
    ann.console.expect(/^Failed to load resource: the server responded with a status of 403/, REFUSED);
    await ann.page.context().route('**/members/me', (route) => route.abort());
    await bar.getByRole('button', { name: 'Join' }).click();
    await bar.getByText(WAITING).waitFor();
    const json = { archived: true };
    const path = `/api/v1/rooms/${room.id}`;
    await send(stage.server, path, { method: 'PATCH', json, token: owner.accessToken });
    await ann.page.context().unroute('**/members/me');
    await ann.page.reload();
    await soon(() => ann.stored(room.joinsKey)).toBeNull();
    await bar.getByText('This room is archived').waitFor();
  });
});

/** Ann looks at a room of somebody else. */
async function looking(stage: Stage) {
  const owner = await stage.account('bo');
  await createRoom(stage.server, owner);
  const { id, name } = await createRoom(stage.server, owner, uniqueName('far'));
  const login = await stage.account('ann');
  const ann = await stage.seat({ login, path: `/rooms/${id}` });
  ann.console.expect(UNREACHABLE);
  await ann.isIn(name);
  const bar = ann.page.getByTestId('not-member');
  await bar.getByText(`You're looking at ${name}`).waitFor();
  return { ann, owner, bar, room: { id, name, joinsKey: `chat_joins:${login.userId}` } };
}
