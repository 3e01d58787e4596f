/** The default rooms, which every new user joins. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { myRoomsResponse } from '../../protocol/rest/rooms.ts';
import { roomSchema } from '../../protocol/rooms.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { createRoom, signUp } from '../support/users.ts';
import { AccessWorld } from './access-world.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.make();
}, 60_000);
afterAll(async () => await world?.server.dispose());

/** The rooms of a new user. */
async function roomsOfNewUser(): Promise<number[]> {
  const token = (await signUp(world.server)).accessToken;
  const reply = await send(world.server, '/api/v1/me/rooms', { token });
  return expectReply(reply, 200, myRoomsResponse).rooms.map(({ room }) => room.id);
}

test('the first public room is one; admins make and unmake others, and new users join them as they are', async () => {
  const first = await roomsOfNewUser();
  expect(first).toHaveLength(1);
  const room = await createRoom(world.server, await signUp(world.server));
  const set = (is_default: boolean) =>
    world.send('admin', `/rooms/${room.id}`, { method: 'PATCH', json: { is_default } });
  expect((await set(true)).json).toMatchObject({ is_default: true });
  const shown = async () => roomSchema.parse((await world.send('stranger', `/rooms/${room.id}`)).json);
  expect((await shown()).is_default).toBe(true);
  expect(await roomsOfNewUser()).toEqual([...first, room.id]);
  expect((await set(false)).status).toBe(200);
  expect((await shown()).is_default).toBeUndefined();
  expect(await roomsOfNewUser()).toEqual(first);
});
