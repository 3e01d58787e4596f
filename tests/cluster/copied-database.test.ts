/** A copy of the database, such as one for staging, whose processes use the Redis of its original. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { PostgresServer } from '../support/postgres.ts';
import { RedisServer } from '../support/redis.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, logIn, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const JWT_SECRET = randomBytes(32).toString('hex');
const IS_COPY = /this database is a copy of one whose processes use the same Redis/;
const HAS_STRANGERS = /processes of another database have the name of this one/;

describe.skipIf(whyNoCluster() !== undefined)('a copy of the database beside its original', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  const running: ServerProcess[] = [];

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([PostgresServer.startOwn(), RedisServer.start()]);
  });
  afterAll(async () => {
    await Promise.all(running.map((server) => server.dispose()));
    await Promise.all([postgres?.[Symbol.asyncDispose](), redis?.[Symbol.asyncDispose]()]);
  });

  async function start(url: string, env: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await ServerProcess.start({
      env: { DATABASE_URL: url, REDIS_URL: redis.url, JWT_SECRET, ...env },
    });
    running.push(server);
    return server;
  }

  /** With its epoch, its name, and the rows of its processes. */
  async function copyOf(url: string): Promise<string> {
    const copy = await postgres.createDatabase();
    const dump = execFileSync('pg_dump', [url], { maxBuffer: 2 ** 28 });
    execFileSync('psql', ['--quiet', '--set=ON_ERROR_STOP=1', copy], { input: dump, stdio: 'pipe' });
    return copy;
  }

  async function metaOf(url: string): Promise<Record<string, unknown>> {
    const rows = await postgres.run(
      "SELECT key, value FROM meta WHERE key IN ('epoch', 'installation')",
      url,
    );
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** Somebody on each of these processes, in the room. */
  async function enter(servers: ServerProcess[], username: string, roomId: number) {
    return await Promise.all(
      servers.map(async (server) => {
        const login = await logIn(server, username);
        const line = await LineClient.start(server, login);
        await line.enter(roomId);
        return { server, login, line };
      }),
    );
  }

  /** Texts that each has said are heard on its own side, and on no other. */
  async function expectApart(
    sides: { name: string; members: Awaited<ReturnType<typeof enter>> }[],
    roomId: number,
  ) {
    for (const { name, members } of sides)
      for (const { line } of members) for (let n = 0; n < 3; n++) await line.post(roomId, `${name} ${n}`);
    for (const { name, members } of sides)
      for (const { line } of members) {
        const texts = () => line.of('message').map(({ content }) => content);
        await eventually('all of its own side', () =>
          texts().filter((text) => text.startsWith(name)).length >= 3 * members.length ? true : undefined,
        );
        expect(texts().filter((text) => !text.startsWith(name))).toEqual([]);
      }
  }

  let original: string;
  let ann: Login;
  let roomId: number;
  let production: ServerProcess[];

  beforeAll(async () => {
    original = await postgres.createDatabase();
    production = [await start(original), await start(original)];
    const [first] = production;
    if (!first) throw new Error('nothing runs');
    ann = await signUp(first);
    ({ id: roomId } = await createRoom(first, ann));
  });

  test('takes another name when it starts, and says so: nothing of it reaches the original, and nothing comes', async () => {
    const before = await metaOf(original);
    const pids = production.map(({ pid }) => pid);
    const members = await enter(production, ann.username, roomId);
    const [first] = members;
    const online = 1 + (first ? ((await findRoom(first.server, first.login, roomId))?.online ?? 0) : 0);
    const copy = await copyOf(original);
    expect(await metaOf(copy)).toEqual(before);
    const staging = [await start(copy), await start(copy)];
    expect(staging[0]?.stderr).toMatch(IS_COPY);
    expect(staging[1]?.stderr).not.toMatch(IS_COPY);
    const after = await metaOf(copy);
    expect(after).toEqual({
      ...before,
      installation: expect.not.stringMatching(String(before.installation)),
    });

    const others = await enter(staging, ann.username, roomId);
    const sockets: ChatClient[] = [];
    for (const [server] of [production, staging]) {
      if (!server) throw new Error('nothing runs');
      sockets.push(await ChatClient.enter(server, await signUp(server), roomId));
    }
    await expectApart(
      [
        { name: 'production', members },
        { name: 'staging', members: others },
      ],
      roomId,
    );
    // The ids of sessions are the same on both sides.
    for (const { server, login } of others)
      await post(server, '/api/v1/auth/logout', { refresh_token: login.refreshToken });
    for (const { server, login } of members) {
      expect((await send(server, '/api/v1/me', { token: login.accessToken })).status).toBe(200);
      await eventually('only the users of this side', async () =>
        (await findRoom(server, login, roomId))?.online === online ? true : undefined,
      );
      expect(server.stderr).not.toMatch(HAS_STRANGERS);
    }
    expect(production.map(({ pid }) => pid)).toEqual(pids);
    expect(await metaOf(original)).toEqual(before);
    for (const client of [...sockets, ...[...members, ...others].map(({ line }) => line)])
      await client.close();
    for (const server of staging) await server.stop();
  });

  test('that meets its original only while both serve is not heard there, nor hears it', async () => {
    const before = await metaOf(original);
    const copy = await copyOf(original);
    for (const server of production) await server.stop();
    // None of them serves when the others start.
    const starting = Promise.all([start(copy), ...production.map((server) => server.restart())]);
    const [staging] = await starting;
    const members = await enter(production, ann.username, roomId);
    const others = await enter([staging], ann.username, roomId);
    await expectApart(
      [
        { name: 'the original', members },
        { name: 'the copy', members: others },
      ],
      roomId,
    );
    for (const { line } of [...members, ...others]) await line.close();
    const areApart =
      (await metaOf(copy)).installation !== before.installation ||
      (await metaOf(original)).installation !== before.installation;
    if (!areApart) await staging.logged(({ msg }) => HAS_STRANGERS.test(String(msg)), 1, 60_000);
    expect(production.every(({ isRunning }) => isRunning)).toBe(true);
    expect((await metaOf(original)).epoch).toBe(before.epoch);
    await staging.stop();
  });

  test('that was made before its original stopped expects nobody of the original back', async () => {
    for (const server of production) if (!server.isRunning) await server.restart();
    const [first] = production;
    if (!first) throw new Error('nothing runs');
    const inOriginal = await ChatClient.enter(first, await logIn(first, ann.username), roomId);
    const copy = await copyOf(original);
    for (const server of production) await server.stop();
    await inOriginal.closed;
    const staging = await start(copy);
    const bo = await signUp(staging);
    const inCopy = await ChatClient.enter(staging, bo, roomId);
    expect((await findRoom(staging, bo, roomId))?.online).toBe(1);
    await inCopy.close();
    await staging.stop();
    for (const server of production) await server.restart();
  });

  test('with another INSTALLATION_ID does not meet it', async () => {
    const copy = await copyOf(original);
    const staging = await start(copy, { INSTALLATION_ID: 'staging' });
    expect(staging.stderr).not.toMatch(IS_COPY);
    expect(await metaOf(copy)).toEqual(await metaOf(original));
    await staging.stop();
  });
});
