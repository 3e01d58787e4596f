/** Several requests in one write: they are handled one by one, and nothing of them outlives their connection. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientFolder, LARGE_FILE, SMALL_FILE } from '../support/client-files.ts';
import { eventually } from '../support/eventually.ts';
import { send, sendRaw } from '../support/http.ts';
import { openFiles, whyNoProc } from '../support/linux.ts';
import { connectRaw, get, h2cUpgrade, postJson, slowLogin, wsUpgrade } from '../support/raw-requests.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

const GARBAGE = '\0garbage\r\n\r\n';
/** A page of this many messages of this length is more than a sixteenth of what an address may leave unread. */
const LONG_MESSAGES = 300;
const LONG = 'x'.repeat(3900);

let client: ClientFolder;
let server: ServerProcess;
let ann: Login;
let history: string;
beforeAll(async () => {
  client = await ClientFolder.make();
  server = await ServerProcess.start({
    env: { CLIENT_DIR: client.path, MESSAGES_PER_SECOND: '0', LOG_LEVEL: 'debug' },
  });
  ann = await signUp(server);
  const room = await createRoom(server, ann);
  const socket = await RoomLine.enter(server, ann, room.id);
  await Promise.all(Array.from({ length: LONG_MESSAGES }, () => socket.post(LONG)));
  await socket.close();
  history = `/api/v1/rooms/${room.id}/messages?limit=200`;
});
afterAll(async () => {
  await server?.dispose();
  await client?.[Symbol.asyncDispose]();
});

const file = get(LARGE_FILE);
const readHistory = () => send(server, history, { token: ann.accessToken });
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const servedFiles = async () => (await openFiles(server.pid)).filter((path) => path.startsWith(client.path));

/** Writes and does not read; resolves when the server has begun to respond. */
async function stall(bytes: string): Promise<Socket> {
  const socket = await connectRaw(server);
  socket.write(bytes);
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket;
}

/** Waits until the buffers of all connections are full, and no further response is complete. */
async function untilNothingIsSent(): Promise<void> {
  const completed = () => server.logs.filter(({ msg }) => msg === 'request').length;
  for (let before = -1; before !== completed(); ) {
    before = completed();
    await sleep(300);
  }
}

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('responses come in the order of the requests', () => {
  test('with something that cannot be parsed behind them: its 400 is the last', async () => {
    const { text, closed } = await sendRaw(server, slowLogin() + get('/healthz') + GARBAGE);
    expect(statusesOf(text)).toEqual([401, 200, 400]);
    expect(text).toMatch(/\{"error":"bad request"\}$/);
    expect(closed).toBe(true);
  });

  test('behind a file, too: no 400 in the middle of its body', async () => {
    const { text } = await sendRaw(server, file + GARBAGE);
    expect(statusesOf(text)).toEqual([200, 400]);
    expect(text).toMatch(/\0HTTP\/1\.1 400 /);
  });

  test('a body that cannot be parsed gets its 400 in the place of its request', async () => {
    const broken = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    expect(statusesOf((await sendRaw(server, broken)).text)).toEqual([400]);
    expect(statusesOf((await sendRaw(server, slowLogin() + broken)).text)).toEqual([401, 400]);
  });

  test('a request that was refused before its body came gets no second response for the body', async () => {
    const head = 'POST /api/v1/rooms HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const socket = await stall(head);
    socket.write('zz\r\n');
    expect(statusesOf(await readToEnd(socket))).toEqual([401]);
  });

  test('what follows such a body gets its own response', async () => {
    const head = 'POST /api/v1/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n';
    for (const next of ['', get('/healthz'), head]) {
      const socket = await stall(head);
      socket.write(`{}${next}${next === head ? '{}' : ''}${GARBAGE}`);
      expect(statusesOf(await readToEnd(socket)).at(-1)).toBe(400);
    }
  });

  test('a CONNECT is refused behind the responses to earlier requests', async () => {
    const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';
    for (const [bytes, statuses] of [
      [tunnel, [400]],
      [slowLogin() + get('/healthz') + tunnel, [401, 200, 400]],
    ] as const) {
      const { text, closed } = await sendRaw(server, bytes);
      expect(statusesOf(text)).toEqual(statuses);
      expect(closed).toBe(true);
    }
  });

  test('200 of them in one write', async () => {
    const { text } = await sendRaw(server, get('/healthz').repeat(199) + get('/x', 'Connection: close\r\n'));
    expect(statusesOf(text)).toEqual(Array.from({ length: 200 }, () => 200));
  });
});

test('beyond 256 that wait, the connection is closed behind the last that was taken', async () => {
  const { text, closed } = await sendRaw(server, slowLogin() + get('/healthz').repeat(1000));
  expect(statusesOf(text)).toEqual([401, ...Array.from({ length: 256 }, () => 200)]);
  expect(text.match(/connection: close\r\n/gi)).toHaveLength(1);
  expect(closed).toBe(true);
});

describe('nothing outlives its connection', () => {
  test.skipIf(whyNoProc() !== undefined)('unread files: one is open, and none after the reset', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => stall(file.repeat(150))));
    expect((await servedFiles()).length).toBeLessThanOrEqual(10);
    for (const socket of sockets) socket.resetAndDestroy();
    await eventually('all files closed', async () => ((await servedFiles()).length === 0 ? true : undefined));
  });

  test.skipIf(whyNoProc() !== undefined)(
    'unread small files: none is open while their peers wait',
    async () => {
      const requests = get(SMALL_FILE).repeat(59) + get('/healthz', 'Connection: close\r\n');
      const sockets = await Promise.all(Array.from({ length: 10 }, () => stall(requests)));
      await untilNothingIsSent();
      expect(await servedFiles()).toEqual([]);
      for (const socket of sockets) expect(statusesOf(await readToEnd(socket))).toHaveLength(60);
    },
  );

  test('unread pages of history: the next one is served', async () => {
    const page = get(history, `Authorization: Bearer ${ann.accessToken}\r\n`);
    const socket = await stall(file.repeat(30) + page.repeat(108));
    socket.resetAndDestroy();
    expect((await readHistory()).status).toBe(200);
  });
});

describe('upgrades that wait behind earlier responses', () => {
  test('17 of an address: 16 wait, one is cut', async () => {
    const sockets = await Promise.all(Array.from({ length: 17 }, () => stall(file)));
    for (const socket of sockets) socket.write(wsUpgrade());
    await send(server, '/healthz');
    const texts = await Promise.all(sockets.map(readToEnd));
    expect(texts.filter((text) => text.includes('missing ws ticket'))).toHaveLength(16);
  });

  test('those that are cut leave room for others', async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 16 }, () => stall(file + h2cUpgrade())));
      for (const socket of sockets) socket.resetAndDestroy();
      await Promise.all(sockets.map((socket) => socket.closed || new Promise((r) => socket.on('close', r))));
    }
    const { text } = await sendRaw(server, slowLogin() + h2cUpgrade());
    expect(statusesOf(text)).toEqual([401, 200]);
  });

  test('a `close` beside the upgrade is kept', async () => {
    const upgrade = get('/healthz', 'Connection: close, Upgrade\r\nUpgrade: h2c\r\n');
    const { text, closed } = await sendRaw(server, upgrade);
    expect(statusesOf(text)).toEqual([200]);
    expect(closed).toBe(true);
  });
});

test('SIGTERM ends the process with 0, whatever connections hold', async () => {
  await using other = await ServerProcess.start({ env: { CLIENT_DIR: client.path } });
  const held = [file + wsUpgrade(), file + h2cUpgrade(), file + GARBAGE, file.repeat(13) + wsUpgrade(), file];
  const unfinished = postJson('/api/v1/auth/login', { username: 'x' }).slice(0, -1);
  for (const bytes of [...held, h2cUpgrade(LARGE_FILE), h2cUpgrade(LARGE_FILE) + wsUpgrade(), unfinished]) {
    for (let copy = 0; copy < 2; copy++) {
      const socket = await connectRaw(other);
      socket.write(bytes);
    }
  }
  expect((await send(other, '/healthz')).status).toBe(200);
  expect(await other.stop()).toEqual({ code: 0, signal: null });
});
