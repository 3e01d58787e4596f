import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { PostgresServer } from '../support/postgres.ts';
import { RedisServer } from '../support/redis.ts';
import { WaitingStart } from '../support/waiting-start.ts';
import { onDatabase } from './kill-postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

const AWAY = onDatabase('postgres://roomful@127.0.0.1:1/roomful');

describe.each([
  ['one process', {}],
  ['several workers', { WEB_CONCURRENCY: '2', REDIS_URL: 'redis://127.0.0.1:1' }],
])('%s: a start that waits for PostgreSQL', (_, env) => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s, as a server that runs', async (signal) => {
    await using start = await WaitingStart.begin({ ...AWAY, ...env });
    await start.reason(/ECONNREFUSED/);
    // PID 1 of a container gets no signal that it does not handle, so the default action is not enough.
    expect(await start.end(signal)).toEqual({ code: 0, signal: null });
  });
});

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)(
  'a start waits for what may come back',
  () => {
    it('PostgreSQL does not listen yet, also with several workers', async () => {
      await using postgres = await PostgresServer.startOwn();
      await using redis = await RedisServer.start();
      const url = await postgres.createDatabase();
      await postgres.kill();
      await using one = await WaitingStart.begin(onDatabase(url));
      expect(await one.reason(/ECONNREFUSED/)).toMatch(
        /^The database at 127.0.0.1:\d+ .* Check DATABASE_URL\.$/,
      );
      await one[Symbol.asyncDispose]();
      await using workers = await WaitingStart.begin({
        ...onDatabase(url),
        ...{ REDIS_URL: redis.url, WEB_CONCURRENCY: '2' },
      });
      await workers.reason(/ECONNREFUSED/);
      await postgres.restart();
      await workers.isReady();
    });

    it('a name that has no address', async () => {
      await using start = await WaitingStart.begin(onDatabase('postgres://roomful@database.invalid/roomful'));
      await start.reason(/database\.invalid/);
    });

    it('every host is a standby: one is promoted later', async () => {
      await using pair = await PostgresPair.start({ isSynchronous: false });
      const [host = ''] = /@[^,]*,([^/]*)\//.exec(pair.url)?.slice(1) ?? [];
      await using start = await WaitingStart.begin(onDatabase(pair.url.replace(/@[^/]*\//, `@${host}/`)));
      await start.reason(/is a standby/);
      await pair.failOver();
      await start.isReady();
    });

    it('the synchronous standby is away', async () => {
      await using pair = await PostgresPair.start({ isSynchronous: true });
      await pair.standby.kill();
      await using start = await WaitingStart.begin(onDatabase(pair.url));
      await start.reason(/cannot be used/);
      await pair.standby.restart();
      await start.isReady();
    });

    it('the only host was left behind by a failover: its timeline is lower than one that was seen', async () => {
      await using postgres = await PostgresServer.startOwn();
      const [row] = await postgres.run('SELECT system_identifier::text AS system FROM pg_control_system()');
      const dir = mkdtempSync(join(tmpdir(), 'roomful-seen-'));
      try {
        mkdirSync(join(dir, 'timelines'));
        writeFileSync(join(dir, 'timelines', `${row?.system}-2`), '');
        const env = { ...onDatabase(await postgres.createDatabase()), DATA_DIR: dir };
        await using start = await WaitingStart.begin(env);
        expect(await start.reason(/left behind/)).toContain(
          'it is on timeline 1, and timeline 2 has been seen',
        );
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    });

    it('Redis does not listen yet', async () => {
      await using postgres = await PostgresServer.start();
      await using redis = await RedisServer.start();
      await redis.kill();
      const JWT_SECRET = randomBytes(32).toString('hex');
      const DATABASE_URL = await postgres.createDatabase();
      await using start = await WaitingStart.begin({ DATABASE_URL, JWT_SECRET, REDIS_URL: redis.url });
      await start.reason(/^Redis at 127.0.0.1:\d+ cannot be used: connect ECONNREFUSED/);
      await redis.restart();
      await start.isReady();
    });
  },
);
