import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openPostgresStore,
  type PostgresOpening,
} from '../../server/data/storage/postgres/postgres-store.ts';
import { OneRedis } from '../../server/platform/redis/one-redis.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { whyNoCluster } from '../support/cluster.ts';
import { addressOf, PostgresServer } from '../support/postgres.ts';
import { RedisServer } from '../support/redis.ts';

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)('two processes on one database', () => {
  let postgres: PostgresServer;
  let servers: RedisServer[];
  let openings: PostgresOpening[];
  const log = { info: () => undefined, warn: () => undefined };

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    servers = [await RedisServer.start(), await RedisServer.start()];
    const address = addressOf(await postgres.createDatabase());
    const onFatal = () => undefined;
    openings = [
      await openPostgresStore({ address, isShared: true, onFatal }),
      await openPostgresStore({ address, isShared: true, onFatal }),
    ];
  });
  afterAll(async () => {
    for (const { store } of openings) await store.close();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  /** The errors that a number of checks in each process log. */
  async function errorsOf(urls: (string | undefined)[], checks: number): Promise<string[]> {
    const errors: string[] = [];
    const processes = [];
    for (const [index, url = ''] of urls.entries()) {
      const { installation, noteRedis } = openings[index] ?? {};
      if (!installation || !noteRedis) throw new Error('not open');
      const redis = await Redis.open({ url, installationId: installation, log });
      const error = (sentence: string) => void errors.push(sentence);
      processes.push({ redis, one: new OneRedis({ redis, noteMarker: noteRedis, log: { error } as never }) });
    }
    for (let check = 0; check < checks; check++) for (const { one } of processes) await one.check();
    for (const { redis, one } of processes) {
      one.stop();
      await redis.close();
    }
    return errors;
  }

  it('that use one Redis log nothing, also when it loses everything once', async () => {
    const url = servers[0]?.url;
    expect(await errorsOf([url, url], 3)).toEqual([]);
    await servers[0]?.run(['FLUSHALL']);
    expect(await errorsOf([url, url], 6)).toEqual([]);
  });

  it('that use different ones log an error that says what to do', async () => {
    const [error] = await errorsOf([servers[0]?.url, servers[1]?.url], 6);
    expect(error).toMatch(/give all of them the same REDIS_URL/);
  });
});
