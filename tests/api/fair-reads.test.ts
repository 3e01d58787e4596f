import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { connectRaw, get } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** As JSON six times as long: 43 of them fill a page of 1 MiB. */
const LONG = `x${'\u0001'.repeat(3999)}`;
const CONNECTIONS = 10;
/** More than the system's buffers take of a connection that is not read. */
const PAGES = 12;

let server: ServerProcess;
let [ann, bob]: Login[] = [];
let path: string;
let connections: Socket[] = [];
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0', RATE_LIMIT_EXEMPT: '127.0.0.0/8' } });
  ann = await signUp(server);
  bob = await signUp(server);
  const room = await createRoom(server, ann);
  const socket = await ChatClient.enter(server, ann, room.id);
  for (let count = 0; count < 45; count++) socket.say(LONG);
  await socket.waitForCount('message', 45);
  await socket.close();
  path = `/api/v1/rooms/${room.id}/messages?limit=200`;
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await server?.dispose();
});

const read = (login: Login | undefined) => send(server, path, { token: login?.accessToken ?? '' });

describe('a user who asks for large pages over many connections and does not read them', () => {
  test('gets no further page, and others behind the same address get theirs', {
    timeout: 90_000,
  }, async () => {
    const before = (await read(bob)).text.length;
    expect(before).toBeGreaterThan(1_000_000);
    for (let count = 0; count < CONNECTIONS; count++) {
      const connection = await connectRaw(server);
      connections.push(connection);
      connection.pause();
      connection.write(get(path, `Authorization: Bearer ${ann?.accessToken}\r\n`).repeat(PAGES));
    }
    // Until the system's buffers are full, some pages go there.
    const refused = await eventually(
      'a refusal',
      async () => {
        const reply = await read(ann);
        return reply.status === 200 ? undefined : reply;
      },
      60_000,
    );
    expectRefusal(refused, 429, 'too many requests');
    for (let count = 0; count < 3; count++) expect((await read(bob)).text.length).toBe(before);
  });

  test('is served again when the connections have ended', async () => {
    const closed = connections.map((connection) => once(connection, 'close'));
    for (const connection of connections) connection.resetAndDestroy();
    await Promise.all(closed);
    connections = [];
    expect((await read(ann)).status).toBe(200);
  });
});
