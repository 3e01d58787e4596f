/**
 * Every operation of the OpenAPI document bears random and hostile parameters and bodies. It takes some seconds;
 * `FUZZ_MINUTES=10` makes it as many minutes, and judges the memory of the server, too.
 */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpReply, send } from '../support/http.ts';
import { whyNoProc } from '../support/linux.ts';
import { runSeed } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, PASSWORD, signUp, signUpAdmin } from '../support/users.ts';
import { type FuzzRequest, type OpenApi, requestsTo } from './operations.ts';

const seed = runSeed();
const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
const SHORT_RUNS = 1500;
/** The examples of the document change a password to this one. */
const OTHER_PASSWORD = 'another horse battery';
/** What a server may take more in the last third than in the second: its caches still fill. */
const MORE_MIB = 32;

type Role = 'admin' | 'member';

let server: ServerProcess;
let requests: fc.Arbitrary<FuzzRequest>;
const logins = new Map<Role, Login>();
const counts = new Map<number, number>();
const reached = new Set<string>();
const memory: number[] = [];

beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const admin = await signUpAdmin(server);
  logins.set('admin', admin);
  logins.set('member', await signUp(server));
  const room = await createRoom(server, admin);
  const line = await RoomLine.enter(server, admin, room.id);
  for (const content of ['one', 'two', 'three']) await line.post(content);
  await line.close();
  requests = requestsTo((await send(server, '/api/v1/openapi.json')).json as OpenApi);
});
afterAll(async () => await server?.dispose());

/** A login whose token holds: a request may have ended the session, or suspended the member. */
async function renew(role: Role): Promise<void> {
  const { username } = loginOf(role);
  for (const password of [PASSWORD, OTHER_PASSWORD]) {
    const login = await logIn(server, username, password).catch(() => null);
    if (login) return void logins.set(role, login);
  }
  if (role === 'admin') throw new Error('the admin cannot sign in again');
  const token = loginOf('admin').accessToken;
  await send(server, '/api/v1/admin/settings', { method: 'PATCH', json: { registration: 'open' }, token });
  logins.set(role, await signUp(server));
}

function loginOf(role: Role): Login {
  const login = logins.get(role);
  if (!login) throw new Error(`there is no ${role}`);
  return login;
}

let sent = 0;

async function run({ operation, target, options }: FuzzRequest, role: Role | null): Promise<HttpReply> {
  // One address has some 28 000 ports, and each is used once in a minute.
  const localAddress = `127.0.0.${1 + (sent++ % 100)}`;
  const token = role === null ? {} : { token: loginOf(role).accessToken };
  const reply = await send(server, target, { ...options, ...token, localAddress });
  counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
  if (reply.status < 300) reached.add(operation);
  if (reply.status === 401 && role !== null && reply.text.includes('invalid token')) {
    await renew('admin');
    await renew('member');
  }
  if (minutes > 0 && sent % 2000 === 0) memory.push(await memoryOf(server.pid));
  return reply;
}

/** In MiB. */
async function memoryOf(pid: number): Promise<number> {
  if (whyNoProc() !== undefined) return 0;
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

test('no parameter and no body of any operation gives a 5xx but 503, nor ends the process', {
  timeout: minutes * 60_000 + 240_000,
}, async () => {
  const { pid } = server;
  const role = fc.constantFrom<(Role | null)[]>('admin', 'admin', 'member', 'member', 'member', null);
  await fc.assert(
    // `send` compares each response with the document.
    fc.asyncProperty(requests, role, async (request, who) => {
      const { status, text } = await run(request, who);
      if (status >= 500 && status !== 503) throw new Error(`${request.operation}: ${status} ${text}`);
    }),
    minutes === 0
      ? { seed, numRuns: SHORT_RUNS }
      : {
          ...{ seed, numRuns: Number.MAX_SAFE_INTEGER },
          ...{ interruptAfterTimeLimit: minutes * 60_000, markInterruptAsFailure: false },
        },
  );
  expect(server.isRunning).toBe(true);
  expect(server.pid).toBe(pid);
  expect((await send(server, '/health')).status).toBe(200);
  // Otherwise the requests would all be refused at the door.
  expect(reached.size).toBeGreaterThan(20);
  if (minutes === 0) return;

  const third = Math.floor(memory.length / 3);
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
  const figures = { sent, seed, reached: reached.size, statuses: Object.fromEntries(counts), middle, last };
  console.info(`fuzz figures: ${JSON.stringify(figures)}`);
  expect(last - middle).toBeLessThan(MORE_MIB);
});
