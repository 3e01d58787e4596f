import { afterEach, describe, expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
afterEach(async () => await server?.dispose());

describe('4101: the session has ended', () => {
  test('logout closes the sockets of its session, in both protocols, and no others', async () => {
    server = await ServerProcess.start();
    const ann = await signUp(server);
    const rooms = [(await createRoom(server, ann)).id, (await createRoom(server, ann)).id] as const;
    const annElsewhere = await logIn(server, ann.username);
    const bo = await signUp(server);
    const ended = [
      await RoomLine.enter(server, ann, rooms[0]),
      await RoomLine.enter(server, ann, rooms[1]),
      await ChatClient.enter(server, ann, rooms[0]),
    ];
    const staying = [
      await RoomLine.enter(server, annElsewhere, rooms[0]),
      await RoomLine.enter(server, bo, rooms[0]),
    ];
    const refresh_token = ann.refreshToken;
    expect((await post(server, '/api/v1/auth/logout', { refresh_token })).status).toBe(204);
    for (const socket of ended) expect((await socket.closed).code).toBe(4101);
    for (const socket of staying) await socket.post('still here');
    const gone = staying[1]?.of('presence').flatMap(({ left }) => left);
    expect(gone).toEqual([]);
  });
});

describe('4009 (v2) and 1013 (v1): this client reads too slowly', () => {
  const CONTENT = 'x'.repeat(4000);

  /** Posts until the server has closed this socket, which reads nothing. */
  async function talkUntilClosed(speaker: RoomLine, users: Login[]): Promise<void> {
    const closed = () =>
      server.logs.filter((line) => line.msg === 'slow consumer closed').map((line) => line.userId);
    for (let count = 0; !users.every(({ userId }) => closed().includes(userId)); count += 100) {
      expect(count).toBeLessThan(20_000);
      for (let more = 0; more < 100; more++) speaker.say(CONTENT);
      await speaker.post(`fence ${count}`);
    }
  }

  test('after the frames that were sent before; others are not harmed, and it resumes without a gap', async () => {
    server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const [ann, bo, cy] = [await signUp(server), await signUp(server), await signUp(server)];
    const roomId = (await createRoom(server, ann)).id;
    const speaker = await RoomLine.enter(server, ann, roomId);
    const slow = await RoomLine.enter(server, bo, roomId);
    const slowBase = await ChatClient.enter(server, cy, roomId);
    slow.stopReading();
    slowBase.stopReading();
    await talkUntilClosed(speaker, [bo, cy]);
    slow.readOn();
    slowBase.readOn();
    expect((await slow.closed).code).toBe(4009);
    expect((await slowBase.closed).code).toBe(1013);
    expect(speaker.isOpen).toBe(true);

    const since = slow.events.at(-1)?.seq ?? 0;
    const again = await RoomLine.enter(server, bo, roomId, {
      cursor: { since, epoch: slow.hello.epoch },
    });
    await speaker.post('live');
    await again.waitFor('message', (message) => message.content === 'live');
    const history = await readHistory(server, ann, roomId);
    expect(speaker.events).toEqual(history);
    expect([...slow.events, ...again.events]).toEqual(history);
    // A v1 client reads the rest in the history.
    expect(slowBase.of('message')).toEqual(
      history.slice(0, slowBase.of('message').length).map(({ cid: _, ...message }) => message),
    );
    expect(server.isRunning).toBe(true);
    expect(server.stderr).not.toMatch(/MaxListenersExceeded/);
  });

  test('a client that resumes far behind over a slow connection and posts meanwhile is not closed', async () => {
    server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const [ann, bo] = [await signUp(server), await signUp(server)];
    const roomId = (await createRoom(server, ann)).id;
    const speaker = await RoomLine.enter(server, ann, roomId);
    const total = 2000;
    for (let count = 1; count <= total; count++) {
      speaker.say(`x${'\u0001'.repeat(3999)}`, `c-${count}`);
      if (count % 50 === 0) await speaker.waitFor('ack', (ack) => ack.seq === count);
    }
    // The first frames may come with the handshake, before there is a client to slow down.
    const held: { client?: RoomLine } = {};
    const behind = await RoomLine.open(server, bo, roomId, {
      cursor: { since: 0 },
      onFrame: () => {
        held.client?.stopReading();
        setTimeout(() => held.client?.readOn(), 25);
      },
    });
    held.client = behind;
    const pings = setInterval(() => (behind.isOpen ? behind.send({ type: 'ping' }) : undefined), 100);
    const outcome = await Promise.race([behind.closed, behind.waitFor('sync')]);
    expect(outcome).toEqual({ type: 'sync', room_id: roomId, seq: total });
    clearInterval(pings);
    expect(behind.events.map((event) => event.seq)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    );
    expect(server.stderr).not.toMatch(/MaxListenersExceeded/);
  }, 90_000);
});
