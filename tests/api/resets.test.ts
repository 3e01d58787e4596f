/** A peer may reset its connection at every stage of everything that a connection can carry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientFolder, LARGE_FILE } from '../support/client-files.ts';
import { send } from '../support/http.ts';
import { connectRaw, get, h2cUpgrade, slowLogin, wsUpgrade } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';

/** From before the first byte is parsed to after a refused socket would have closed. */
const RESET_AFTER_MS = [0, 1, 3, 10, 40, 150];

let client: ClientFolder;
let server: ServerProcess;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  client = await ClientFolder.make();
  server = await ServerProcess.start({ env: { CLIENT_DIR: client.path } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => {
  await server?.dispose();
  await client?.[Symbol.asyncDispose]();
});

const file = get(LARGE_FILE);
const ticketed = async () =>
  wsUpgrade(`/ws?room_id=${roomId}&ticket=${await issueTicket(server, ann, roomId)}`);

/** Writes each chunk in its turn, waits, resets; once for each moment. */
async function resetAtEveryMoment(chunks: (string | (() => Promise<string>))[]): Promise<void> {
  const attack = async (ms: number, isRead: boolean) => {
    const bytes: string[] = [];
    for (const chunk of chunks) bytes.push(typeof chunk === 'string' ? chunk : await chunk());
    const socket = await connectRaw(server);
    if (isRead) socket.resume();
    for (const chunk of bytes) {
      socket.write(chunk);
      await sleep(ms);
    }
    socket.resetAndDestroy();
    // All in one write, which reaches the upgrade while the first response is still pending.
    const together = await connectRaw(server);
    if (isRead) together.resume();
    together.write(bytes.join(''));
    await sleep(ms);
    together.resetAndDestroy();
  };
  await Promise.all(RESET_AFTER_MS.flatMap((ms) => [attack(ms, true), attack(ms, false)]));
  expect(await send(server, '/healthz').then(({ status }) => status)).toBe(200);
  expect(server.isRunning).toBe(true);
  expect(server.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
}

describe('a reset at any moment ends its connection and nothing else', () => {
  const upgrades: [string, string | (() => Promise<string>)][] = [
    ['an h2c upgrade', h2cUpgrade()],
    ['an h2c upgrade to a slow response', h2cUpgrade(LARGE_FILE)],
    ['a WebSocket that is refused', wsUpgrade()],
    ['a WebSocket that opens', ticketed],
  ];
  const before: [string, string[]][] = [
    ['nothing', []],
    ['a login', [slowLogin()]],
    ['an unread file', [file]],
    ['unread files and a login', [file, file, file, slowLogin()]],
    ['another h2c upgrade', [h2cUpgrade()]],
    ['an h2c upgrade behind a login', [slowLogin(), h2cUpgrade()]],
    ['an h2c upgrade to an unread file', [h2cUpgrade(LARGE_FILE)]],
  ];
  for (const [earlier, first] of before) {
    test.concurrent.each(upgrades)(`behind ${earlier}: %s`, async (_, upgrade) => {
      await resetAtEveryMoment([...first, upgrade]);
    });
  }

  test.concurrent.each<[string, string[]]>([
    ['garbage', ['\r\n\0garbage\r\n\r\n']],
    ['garbage behind a login', [slowLogin(), '\0garbage\r\n\r\n']],
    ['garbage behind an unread file', [file, '\0garbage\r\n\r\n']],
    ['garbage behind an h2c upgrade', [h2cUpgrade(), '\0garbage\r\n\r\n']],
    ['half a head', ['GET /healthz HTTP/1.1\r\nHost']],
    ['half a body', ['POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"user']],
    ['CONNECT', ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['CONNECT behind a login', [slowLogin(), 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['an expectation behind a login', [slowLogin(), get('/healthz', 'Expect: 100-continue\r\n')]],
  ])('%s', async (_, chunks) => {
    await resetAtEveryMoment(chunks);
  });
});
