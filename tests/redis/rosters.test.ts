/** Rosters as processes exchange them (server/features/presence/cluster/redis-exchange.ts), on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisExchange } from '../../server/features/presence/cluster/redis-exchange.ts';
import type { RosterEntry } from '../../server/features/presence/presence.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const ROOMS = 100;
const LEASE_MS = 60_000;
const roster = { process: 'a process', n: 7, isLeaving: false };

describe.skipIf(whyNoRedis() !== undefined)('rosters in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  let exchange: RedisExchange;

  beforeAll(async () => {
    server = await RedisServer.start();
    const log = { info: () => {}, warn: () => {} };
    redis = await Redis.open({ url: server.url, installationId: `test ${process.pid}`, log });
    exchange = new RedisExchange(redis);
  });
  afterAll(async () => {
    await redis?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const entriesOf = (count: number): RosterEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      roomId: index % ROOMS,
      userId: Math.floor(index / ROOMS) + 1,
      username: `"user" ${index}`,
    }));
  const sorted = (entries: readonly RosterEntry[]) =>
    [...entries].sort((a, b) => a.roomId - b.roomId || a.userId - b.userId);

  it.each([0, 1, 1999, 2000, 10_001])('a roster of %d entries is read as it was stored', async (count) => {
    const entries = entriesOf(count);
    await exchange.store({ ...roster, entries }, LEASE_MS);
    const stored = await exchange.read(roster.process);
    expect({ ...stored, entries: [] }).toEqual({ ...roster, entries: [] });
    expect(sorted(stored?.entries ?? [])).toEqual(sorted(entries));
  });

  it('a large roster is stored in pieces, and other work is done between them', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turnOf: number[] = [];
    const entries = (function* () {
      for (const entry of entriesOf(20_000)) {
        turnOf.push(turns);
        yield entry;
      }
    })();
    await exchange.store({ ...roster, entries }, LEASE_MS);
    clearImmediate(counting);
    expect(new Set(turnOf).size).toBeGreaterThanOrEqual(10);
    expect((await exchange.read(roster.process))?.entries).toHaveLength(20_000);
  });
});
