import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, readHistory, signUp, signUpCrowd } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

describe('a planned stop', () => {
  test('lines: restart with a delay for each, then 4000; v1: 1001, no new frame; exit 0 within 10 s', async () => {
    await using server = await ServerProcess.start();
    const [ann, bo] = (await signUpCrowd(server, 2)) as [Login, Login];
    const roomId = (await createRoom(server, ann)).id;
    const base = await ChatClient.enter(server, bo, roomId);
    const sockets = await Promise.all(Array.from({ length: 30 }, () => RoomLine.enter(server, ann, roomId)));
    const mark = base.mark();
    const began = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await base.closed).code).toBe(1001);
    expect(base.frames.slice(mark)).toEqual([]);
    const delays: number[] = [];
    for (const socket of sockets) {
      expect((await socket.closed).code).toBe(4000);
      const restarts = socket.of('restart');
      expect(restarts).toHaveLength(1);
      expect(socket.frames.at(-1)).toEqual(restarts[0]);
      delays.push(restarts[0]?.in_ms ?? -1);
    }
    for (const delay of delays) expect(delay).toBeGreaterThan(0);
    expect(new Set(delays).size).toBeGreaterThan(1);
    expect(base.of('leave')).toEqual([]);
    expect(sockets.flatMap((line) => line.of('presence')).flatMap(({ left }) => left)).toEqual([]);
  });

  test('acked messages are stored, refused ones are retryable, and with the same cid each is stored once', async () => {
    await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const [ann] = (await signUpCrowd(server, 1)) as [Login];
    const roomId = (await createRoom(server, ann)).id;
    const sender = await RoomLine.enter(server, ann, roomId);
    const sent: string[] = [];
    const talk = setInterval(() => {
      if (!sender.isOpen) return clearInterval(talk);
      for (let more = 0; more < 5; more++) {
        const cid = `c-${sent.length}`;
        sent.push(cid);
        sender.say(cid, cid);
      }
    }, 1);
    await sender.waitForCount('ack', 50);
    const stopped = server.stop();
    expect((await sender.closed).code).toBe(4000);
    expect((await stopped).code).toBe(0);
    clearInterval(talk);
    for (const error of sender.of('error'))
      expect(error).toMatchObject({ code: 'service_unavailable', retryable: true });
    await server.restart();
    const acked = sender.of('ack').map((ack) => ack.cid);
    const kept = new Set((await readHistory(server, ann, roomId)).map((message) => message.cid));
    expect(acked.filter((cid) => !kept.has(cid))).toEqual([]);
    const again = await RoomLine.enter(server, ann, roomId);
    for (const cid of sent) again.say(cid, cid);
    const acks = await again.waitForCount('ack', sent.length);
    expect(acks.filter((ack) => ack.duplicate).length).toBe(kept.size);
    const history = await readHistory(server, ann, roomId);
    expect(history.map((message) => message.cid).sort()).toEqual([...sent].sort());
    await again.close();
  });
});

describe('after a planned restart the roster is remembered', () => {
  test('a user who returns within 15 s causes no join and no leave; one who does not leaves', async () => {
    await using server = await ServerProcess.start();
    const [ann, bo, cy, di] = (await signUpCrowd(server, 4)) as [Login, Login, Login, Login];
    const roomId = (await createRoom(server, ann)).id;
    for (const login of [ann, bo, di]) await RoomLine.enter(server, login, roomId);
    await ChatClient.enter(server, cy, roomId);
    await server.stop();
    await server.restart();

    expect((await findRoom(server, ann, roomId))?.online).toBe(4);
    const annSocket = await RoomLine.enter(server, ann, roomId);
    expect(annSocket.room.online).toBe(4);
    expect(annSocket.people.map(({ user_id }) => user_id).sort()).toEqual(
      [ann, bo, cy, di].map(({ userId }) => userId).sort(),
    );
    const cySocket = await ChatClient.enter(server, cy, roomId);
    const boSocket = await RoomLine.enter(server, bo, roomId);
    // A user who was not online before causes a join, and one who returned and then leaves causes a leave.
    const newcomer = await signUp(server);
    const newSocket = await RoomLine.enter(server, newcomer, roomId);
    const isIt = (login: Login) => (people: { user_id: number }[]) =>
      people.some(({ user_id }) => user_id === login.userId);
    await annSocket.waitFor('presence', ({ joined }) => isIt(newcomer)(joined));
    await boSocket.close();
    await annSocket.waitFor('presence', ({ left }) => isIt(bo)(left));

    const absence = { type: 'leave', room_id: roomId, user_id: di.userId, username: di.username, online: 3 };
    const gone = await annSocket.waitFor('presence', ({ left }) => isIt(di)(left));
    expect(gone).toMatchObject({ room_id: roomId, online: 3, joined: [] });
    expect(await cySocket.waitFor('leave', (leave) => leave.user_id === di.userId)).toEqual(absence);
    expect(annSocket.of('presence').flatMap(({ joined }) => joined)).toHaveLength(1);
    expect(annSocket.of('presence').flatMap(({ left }) => left)).toHaveLength(2);
    expect(cySocket.of('join').map((join) => join.user_id)).toEqual([cy.userId, newcomer.userId]);
    expect((await findRoom(server, ann, roomId))?.online).toBe(3);
    await Promise.all([annSocket.close(), cySocket.close(), newSocket.close()]);
  });

  test('a second planned restart before everybody is back does not forget the rest', async () => {
    await using server = await ServerProcess.start();
    const [ann, bo] = (await signUpCrowd(server, 2)) as [Login, Login];
    const roomId = (await createRoom(server, ann)).id;
    for (const login of [ann, bo]) await RoomLine.enter(server, login, roomId);
    for (let round = 0; round < 2; round++) {
      await server.stop();
      await server.restart();
    }
    const annSocket = await RoomLine.enter(server, ann, roomId);
    const boSocket = await RoomLine.enter(server, bo, roomId);
    await annSocket.settle();
    expect(annSocket.people).toHaveLength(2);
    expect(annSocket.of('presence').flatMap(({ joined }) => joined)).toEqual([]);
    await Promise.all([annSocket.close(), boSocket.close()]);
  });

  test('not after kill -9: only connected users are online', async () => {
    await using server = await ServerProcess.start();
    const [ann, bo] = (await signUpCrowd(server, 2)) as [Login, Login];
    const roomId = (await createRoom(server, ann)).id;
    await RoomLine.enter(server, ann, roomId);
    await server.stop();
    await server.restart();
    for (const login of [ann, bo]) await RoomLine.enter(server, login, roomId);
    await server.kill();
    await server.restart();
    await sleep(100);
    expect((await findRoom(server, ann, roomId))?.online).toBe(0);
    const annSocket = await RoomLine.enter(server, ann, roomId);
    expect(annSocket.people).toHaveLength(1);
    await annSocket.close();
  });
});
