import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, logIn, signUp, signUpCrowd } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
let cy: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo, cy] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

describe('join: when a user\u2019s first socket enters', () => {
  test('to everybody in the room, the new user included, with the count after it', async () => {
    const roomId = await newRoom();
    const annSocket = await ChatClient.enter(server, ann, roomId);
    expect(annSocket.frames).toEqual([
      { type: 'join', room_id: roomId, user_id: ann.userId, username: ann.username, online: 1 },
    ]);
    const boSocket = await ChatClient.enter(server, bo, roomId);
    const join = { type: 'join', room_id: roomId, user_id: bo.userId, username: bo.username, online: 2 };
    expect(await annSocket.waitFor('join', (frame) => frame.user_id === bo.userId)).toEqual(join);
    expect(boSocket.frames).toEqual([join]);
    await Promise.all([annSocket.close(), boSocket.close()]);
  });

  test('a second socket of the same user gets its own join frame; nobody else does', async () => {
    const roomId = await newRoom();
    const annSocket = await ChatClient.enter(server, ann, roomId);
    const boSocket = await ChatClient.enter(server, bo, roomId);
    await annSocket.waitFor('join', (frame) => frame.user_id === bo.userId);
    const second = await ChatClient.enter(server, await logIn(server, bo.username), roomId);
    expect(second.frames).toEqual([
      { type: 'join', room_id: roomId, user_id: bo.userId, username: bo.username, online: 2 },
    ]);
    second.say('fence');
    await Promise.all([annSocket.waitFor('message'), boSocket.waitFor('message')]);
    expect(annSocket.of('join')).toHaveLength(2);
    expect(boSocket.of('join')).toHaveLength(1);
    await Promise.all([annSocket.close(), boSocket.close(), second.close()]);
  });

  test('each room has its own count', async () => {
    const [here, there] = [await newRoom(), await newRoom()];
    const inHere = await ChatClient.enter(server, ann, here);
    const inThere = await ChatClient.enter(server, ann, there);
    expect(inThere.frames).toHaveLength(1);
    expect((await inThere.waitFor('join')).online).toBe(1);
    expect(inHere.of('join')).toHaveLength(1);
    await Promise.all([inHere.close(), inThere.close()]);
  });

  test('20 users at once: everybody ends at 20 and gets each join once', async () => {
    const roomId = await newRoom();
    const logins = await signUpCrowd(server, 18);
    const watcher = await ChatClient.enter(server, ann, roomId);
    const sockets = await Promise.all(
      [bo, ...logins].map((login) => ChatClient.enter(server, login, roomId)),
    );
    const joins = await watcher.waitForCount('join', 20);
    expect(joins.map((join) => join.online)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(joins.map((join) => join.user_id)).size).toBe(20);
    await Promise.all(sockets.map((socket) => socket.close()));
    const leaves = await watcher.waitForCount('leave', 19);
    expect(leaves.map((leave) => leave.online)).toEqual(Array.from({ length: 19 }, (_, index) => 19 - index));
    await watcher.close();
  });
});

describe('leave: when a user\u2019s last socket leaves', () => {
  test('to the others, with the count after it; not before the last one has gone', async () => {
    const roomId = await newRoom();
    const annSocket = await ChatClient.enter(server, ann, roomId);
    const first = await ChatClient.enter(server, bo, roomId);
    const second = await ChatClient.enter(server, bo, roomId);
    await first.close();
    second.say('still here');
    await annSocket.waitFor('message');
    expect(annSocket.of('leave')).toEqual([]);
    await second.close();
    expect(await annSocket.waitFor('leave')).toEqual({
      type: 'leave',
      room_id: roomId,
      user_id: bo.userId,
      username: bo.username,
      online: 1,
    });
    await annSocket.close();
  });

  test('also when the connection is cut without a close', async () => {
    const roomId = await newRoom();
    const annSocket = await ChatClient.enter(server, ann, roomId);
    const boSocket = await ChatClient.enter(server, bo, roomId);
    await boSocket.drop();
    expect((await annSocket.waitFor('leave')).user_id).toBe(bo.userId);
    await annSocket.close();
  });

  test('no grace: leave and join again are a leave and a join', async () => {
    const roomId = await newRoom();
    const annSocket = await ChatClient.enter(server, ann, roomId);
    for (let round = 0; round < 3; round++) {
      const socket = await ChatClient.enter(server, bo, roomId);
      await socket.close();
      await annSocket.waitForCount('leave', round + 1);
    }
    const seen = annSocket.frames.map((frame) => frame.type);
    expect(seen).toEqual(['join', 'join', 'leave', 'join', 'leave', 'join', 'leave']);
    await annSocket.close();
  });

  test('a storm of sockets coming and going leaves the right count', async () => {
    const roomId = await newRoom();
    const watcher = await ChatClient.enter(server, ann, roomId);
    const comeAndGo = async (login: Login) => {
      for (let round = 0; round < 5; round++) {
        const socket = await ChatClient.enter(server, login, roomId);
        await (round % 2 === 0 ? socket.close() : socket.drop());
      }
    };
    await Promise.all([comeAndGo(bo), comeAndGo(bo), comeAndGo(cy), comeAndGo(cy)]);
    await eventually('one online', async () =>
      (await findRoom(server, ann, roomId))?.online === 1 ? true : undefined,
    );
    await watcher.settle();
    const last = [...watcher.of('join'), ...watcher.of('leave')].map((frame) => frame.online);
    expect(Math.min(...last)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...last)).toBeLessThanOrEqual(3);
    expect(watcher.of('leave').at(-1)?.online).toBe(1);
    await watcher.close();
  });
});
