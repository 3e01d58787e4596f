import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** Ann with two sockets and Bo with one, in a fresh room. */
async function scene() {
  const roomId = (await createRoom(server, ann)).id;
  const annSocket = await ChatClient.enter(server, ann, roomId);
  const annToo = await ChatClient.enter(server, ann, roomId);
  const boSocket = await ChatClient.enter(server, bo, roomId);
  const states = () => boSocket.of('typing').map((frame) => frame.is_typing);
  const leave = () => Promise.all([annSocket.close(), annToo.close(), boSocket.close()]);
  return { roomId, annSocket, annToo, boSocket, states, leave };
}

describe('{type:"typing", is_typing}: to the others', () => {
  test('only to the sockets of other users, never to those of the user who types', async () => {
    const { roomId, annSocket, annToo, boSocket, leave } = await scene();
    annSocket.send({ type: 'typing', is_typing: true });
    expect(await boSocket.waitFor('typing')).toEqual({
      type: 'typing',
      room_id: roomId,
      user_id: ann.userId,
      username: ann.username,
      is_typing: true,
    });
    boSocket.say('fence');
    await Promise.all([annSocket.waitFor('message'), annToo.waitFor('message')]);
    expect(annSocket.of('typing')).toEqual([]);
    expect(annToo.of('typing')).toEqual([]);
    await leave();
  });

  test('forged user_id and room_id: the server\u2019s own values win', async () => {
    const { roomId, annSocket, boSocket, leave } = await scene();
    const forged = {
      type: 'typing',
      is_typing: true,
      user_id: bo.userId,
      username: 'x',
      room_id: roomId + 1,
    };
    annSocket.sendRaw(JSON.stringify(forged));
    expect(await boSocket.waitFor('typing')).toMatchObject({ user_id: ann.userId, room_id: roomId });
    await leave();
  });

  test('the changes of one person are never throttled', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    for (let count = 0; count < 3; count++) {
      annSocket.send({ type: 'typing', is_typing: true });
      annSocket.send({ type: 'typing', is_typing: false });
    }
    await boSocket.waitForCount('typing', 6);
    expect(states()).toEqual([true, false, true, false, true, false]);
    await leave();
  });

  test('repeated true within a second is dropped silently; later it is sent again', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    for (let count = 0; count < 5; count++) annSocket.send({ type: 'typing', is_typing: true });
    annSocket.send({ type: 'ping' });
    await annSocket.waitFor('pong');
    boSocket.say('fence');
    await annSocket.waitFor('message');
    expect(states()).toEqual([true]);
    expect(annSocket.of('error')).toEqual([]);
    await sleep(1100);
    annSocket.send({ type: 'typing', is_typing: true });
    await boSocket.waitForCount('typing', 2);
    expect(states()).toEqual([true, true]);
    await leave();
  });

  test('a key held down raises no error and closes nothing: repeats are free, and the end is announced', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    // 30 s of a key that repeats 30 times a second.
    for (let count = 0; count < 900; count++) annSocket.send({ type: 'typing', is_typing: true });
    annSocket.send({ type: 'typing', is_typing: false });
    await expect.poll(() => states().at(-1), { timeout: 20_000 }).toBe(false);
    expect(states().filter((isTyping) => !isTyping)).toEqual([false]);
    annSocket.say('fence');
    await boSocket.waitFor('message');
    expect(annSocket.of('error')).toEqual([]);
    await leave();
  });

  test('false without true sends nothing', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    annSocket.send({ type: 'typing', is_typing: false });
    annSocket.say('fence');
    await boSocket.waitFor('message');
    expect(states()).toEqual([]);
    await leave();
  });
});

describe('the server sends is_typing:false by itself', () => {
  test('3 s after the last true', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    annSocket.send({ type: 'typing', is_typing: true });
    await boSocket.waitForCount('typing', 1);
    // A repeat postpones the end, whether or not it is sent on.
    await sleep(2000);
    annSocket.send({ type: 'typing', is_typing: true });
    await boSocket.waitForCount('typing', 2);
    await sleep(1500);
    await boSocket.settle();
    expect(states()).toEqual([true, true]);
    await boSocket.waitForCount('typing', 3);
    expect(states()).toEqual([true, true, false]);
    await leave();
  });

  test('when the user\u2019s message is posted', async () => {
    const { annSocket, boSocket, states, leave } = await scene();
    annSocket.send({ type: 'typing', is_typing: true });
    annSocket.say('done');
    await boSocket.waitForCount('typing', 2);
    expect(states()).toEqual([true, false]);
    annSocket.send({ type: 'typing', is_typing: true });
    await boSocket.waitForCount('typing', 3);
    expect(states()).toEqual([true, false, true]);
    await leave();
  });

  test('when they leave', async () => {
    const { annSocket, annToo, boSocket, states, leave } = await scene();
    annSocket.send({ type: 'typing', is_typing: true });
    await boSocket.waitForCount('typing', 1);
    await Promise.all([annSocket.close(), annToo.close()]);
    await boSocket.waitFor('leave');
    await boSocket.waitForCount('typing', 2);
    expect(states()).toEqual([true, false]);
    await leave();
  });
});

test('typing beyond 10 changes a second per user, over all sockets, is dropped silently', async () => {
  const cara = await signUp(server);
  const roomId = (await createRoom(server, cara)).id;
  const listener = await ChatClient.enter(server, bo, roomId);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => ChatClient.enter(server, cara, roomId)));
  for (const socket of sockets) {
    for (let count = 0; count < 20; count++) socket.send({ type: 'typing', is_typing: count % 2 === 0 });
  }
  await Promise.all(sockets.map((socket) => socket.settle()));
  await listener.settle();
  expect(sockets.flatMap((socket) => socket.of('error'))).toEqual([]);
  expect(listener.of('typing').length).toBeLessThan(120);
  await Promise.all([listener, ...sockets].map((socket) => socket.close()));
});
