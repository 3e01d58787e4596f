import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;
const person = ({ userId, username }: Login) => ({ user_id: userId, username });

describe('here: the room in sight is the one that the user is in', () => {
  test('opening a room is not being in it; here is, and is answered with the people', async () => {
    const roomId = await newRoom();
    const [line, other] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await line.enter(roomId);
    await other.look(roomId);
    expect((await findRoom(server, ann, roomId))?.online).toBe(1);
    line.send({ type: 'here', room_id: roomId });
    const shown = await line.waitFor('presence');
    expect(shown).toMatchObject({ room_id: roomId, online: 2, joined: [], left: [] });
    expect(shown.users).toEqual(expect.arrayContaining([person(ann), person(bo)]));
    const joined = await other.waitFor('presence', (frame) => frame.joined.length > 0);
    expect(joined).toMatchObject({ online: 2, joined: [person(ann)], left: [] });
    await Promise.all([line.close(), other.close()]);
  });

  test('is remembered while the room is being opened, and refused for a room that is not open', async () => {
    const roomId = await newRoom();
    const line = await LineClient.start(server, ann);
    line.send({ type: 'open', room_id: roomId });
    line.send({ type: 'here', room_id: roomId });
    await line.waitFor('presence');
    line.send({ type: 'here', room_id: 999_999 });
    expect(await line.waitFor('error')).toMatchObject({ code: 'invalid_frame', room_id: 999_999 });
    await line.close();
  });

  test('presence and typing come only for the room in sight, and there is no join and no leave', async () => {
    const [roomId, shownId] = [await newRoom(), await newRoom()];
    const [line, other] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await line.enter(roomId);
    await line.look(shownId);
    await other.look(roomId);
    other.send({ type: 'typing', room_id: roomId, is_typing: true });
    await other.post(roomId, 'hi');
    await line.waitFor('message');
    await line.settle();
    expect(line.of('typing')).toEqual([]);
    expect(line.of('presence').every(({ room_id }) => room_id === shownId)).toBe(true);
    other.send({ type: 'open', room_id: shownId });
    other.send({ type: 'typing', room_id: shownId, is_typing: true });
    await other.waitFor('opened', ({ room_id }) => room_id === shownId);
    other.send({ type: 'typing', room_id: shownId, is_typing: true });
    expect(await line.waitFor('typing')).toMatchObject({
      room_id: shownId,
      user_id: bo.userId,
      is_typing: true,
    });
    await Promise.all([line.close(), other.close()]);
  });

  test('looking elsewhere leaves 10 s later; coming back before announces nothing', {
    timeout: 60_000,
  }, async () => {
    const [roomId, otherId] = [await newRoom(), await newRoom()];
    const [line, witness] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await witness.look(roomId);
    await line.look(roomId);
    await witness.waitFor('presence', ({ joined }) => joined.length > 0);
    await line.look(otherId);
    line.send({ type: 'here', room_id: roomId });
    await line.settle();
    await line.look(otherId);
    await new Promise((resolve) => setTimeout(resolve, 7000));
    const isLeave = ({ left }: { left: unknown[] }) => left.length > 0;
    expect(witness.of('presence').filter(isLeave)).toEqual([]);
    expect(await witness.waitFor('presence', isLeave)).toMatchObject({ online: 1, left: [person(ann)] });
    await Promise.all([line.close(), witness.close()]);
  });

  test('a closed socket leaves at once', async () => {
    const roomId = await newRoom();
    const [line, witness] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await witness.look(roomId);
    await line.look(roomId);
    await line.close();
    const left = await witness.waitFor('presence', (frame) => frame.left.length > 0);
    expect(left).toMatchObject({ online: 1, left: [person(ann)] });
    await witness.close();
  });

  test('v1 sockets get join and leave of users who are in the room over a line', async () => {
    const roomId = await newRoom();
    const v1 = await ChatClient.enter(server, bo, roomId);
    const line = await LineClient.start(server, ann);
    await line.look(roomId);
    expect(await v1.waitFor('join', ({ user_id }) => user_id === ann.userId)).toMatchObject({ online: 2 });
    await line.close();
    expect(await v1.waitFor('leave')).toMatchObject({ user_id: ann.userId, online: 1 });
    await v1.close();
  });
});

test('one user watches 10 000 people at once and 1000 more a second, over all lines: beyond that, too fast', async () => {
  const users = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [1_000_000 + at, 0]));
  const cy = await signUp(server);
  const lines = await Promise.all(Array.from({ length: 5 }, () => LineClient.start(server, cy)));
  for (let frame = 0; frame < 10; frame++) for (const line of lines) line.send({ type: 'watch', users });
  await Promise.all(lines.map((line) => line.settle()));
  const refused = lines.flatMap((line) => line.of('error'));
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.every(({ code }) => code === 'too_fast')).toBe(true);
  const other = await LineClient.start(server, bo);
  other.send({ type: 'watch', users: { [ann.userId]: 0 } });
  await other.waitFor('user');
  await Promise.all([other, ...lines].map((line) => line.close()));
});
