/** Limits that processes share (server/platform/limits/redis.ts), on a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLimiter } from '../../server/platform/limits/limiter.contract.ts';
import type { Decision } from '../../server/platform/limits/limiter.ts';
import { RedisLimits } from '../../server/platform/limits/redis.ts';
import { TAKE } from '../../server/platform/limits/redis-script.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { Script } from '../../server/platform/redis/script.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const HOUR_US = 3_600_000_000;
/** Nothing comes back during a test. */
const FORTY = { capacity: 40, refill: 1, refillIntervalUs: HOUR_US };
const START_US = 1_800_000_000_000_000;
/** The script with a clock that tests set, and levels that do not expire by Redis's own. */
const CLOCKED = new Script(
  TAKE.source
    .replace("redis.call('TIME')", "redis.call('MGET', 'clock s', 'clock us')")
    .replace(", 'PX', ms", ''),
);

/** For tests of the shared buckets, on a machine that may be busy. */
const PATIENT = { secret: 'secret', responseMs: 20_000 };

const log = { info: () => {}, warn: () => {} };
const isSkipped = whyNoRedis({ canBeStopped: true }) !== undefined;

let server: RedisServer;
let installations = 0;
const open: Redis[] = [];

beforeAll(async () => {
  if (!isSkipped) server = await RedisServer.start();
});
afterAll(async () => {
  for (const redis of open) await redis.close();
  await server?.[Symbol.asyncDispose]();
});

async function connect(installationId = `test ${++installations}`): Promise<Redis> {
  const redis = await Redis.open({ url: server.url, installationId, log });
  open.push(redis);
  return redis;
}

async function setClock(redis: Redis, us: number): Promise<void> {
  const at = START_US + us;
  await redis.command(['MSET', 'clock s', String(Math.floor(at / 1e6)), 'clock us', String(at % 1e6)]);
}

async function clocked() {
  const redis = await connect();
  let us = 0;
  await setClock(redis, us);
  const limits = new RedisLimits({ redis, ...PATIENT, nowUs: () => us, script: CLOCKED });
  const advanceUs = async (by: number) => {
    us += by;
    await setClock(redis, us);
  };
  return { redis, limits, advanceUs };
}

const passed = (decisions: Decision[]) => decisions.filter(({ allowed }) => allowed).length;

describe.skipIf(isSkipped)('limits over Redis', () => {
  describeLimiter('over Redis', async (rate) => {
    const { limits, advanceUs } = await clocked();
    return { limiter: limits.limiter('test', rate), advanceUs };
  });

  it('of 400 that several processes take at the same time, exactly 40 pass', async () => {
    const all: Promise<Decision>[] = [];
    const processes = await Promise.all(Array.from({ length: 4 }, () => connect('race')));
    for (const redis of processes) {
      const limiter = new RedisLimits({ redis, ...PATIENT }).limiter('race', FORTY);
      for (let count = 0; count < 100; count++) all.push(Promise.resolve(limiter.take('key')));
    }
    expect(passed(await Promise.all(all))).toBe(40);
  });

  it('a pair takes from both or from none, and what the first refuses does not count for the second', async () => {
    const { limits } = await clocked();
    const pair = limits.pair(
      ['path', 'address'],
      [
        { ...FORTY, capacity: 2 },
        { ...FORTY, capacity: 3 },
      ],
    );
    const takes = async (path: string) => (await pair.take(path, 'address')).allowed;
    expect([await takes('a'), await takes('a'), await takes('a')]).toEqual([true, true, false]);
    expect([await takes('b'), await takes('b'), await takes('c')]).toEqual([true, false, false]);
    // The refusals took nothing from `c`, and the last one is the address's own.
    expect(await pair.take('c', 'another address')).toEqual({ allowed: true });
    expect(await pair.take('c', 'another address')).toEqual({ allowed: true });
  });

  it('a client that does not wait after a refusal costs Redis nothing', async () => {
    const redis = await connect();
    let runs = 0;
    const counted = {
      isInDoubt: false,
      run: (...args: Parameters<Redis['run']>) => {
        runs++;
        return redis.run(...args);
      },
    };
    const limiter = new RedisLimits({ redis: counted, ...PATIENT }).limiter('flood', {
      ...FORTY,
      capacity: 1,
    });
    for (let count = 0; count < 1000; count++) await limiter.take('key');
    expect(runs).toBe(2);
  });

  it("when Redis's clock is set back, nothing is taken, and buckets refill from then on", async () => {
    const { redis, limits, advanceUs } = await clocked();
    const limiter = limits.limiter('clock', { capacity: 2, refill: 1, refillIntervalUs: 1_000_000 });
    expect((await limiter.take('key')).allowed).toBe(true);
    await setClock(redis, -HOUR_US);
    expect((await limiter.take('key')).allowed).toBe(true);
    expect(await limiter.take('key')).toEqual({ allowed: false, retryAfterMs: 1000 });
    await advanceUs(1_000_000);
    await setClock(redis, -HOUR_US + 1_000_000);
    expect((await limiter.take('key')).allowed).toBe(true);
  });

  it('what Redis has of a key is a hash, and it expires when the bucket is full', async () => {
    const redis = await connect('hash');
    const limiter = new RedisLimits({ redis, ...PATIENT }).limiter('logins', FORTY);
    await limiter.take('192.0.2.1 ann');
    const keys = (await redis.command(['KEYS', 'roomful:hash:*'])) as string[];
    expect(keys).toEqual([expect.stringMatching(/^roomful:hash:limit:[\w-]{22}$/)]);
    const leftMs = Number(await redis.command(['PTTL', keys[0] ?? '']));
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThanOrEqual(3_600_000);
  });

  it('a key that holds something else is a full bucket, and counts from then on', async () => {
    const redis = await connect();
    const limiter = new RedisLimits({ redis, ...PATIENT }).limiter('strange', { ...FORTY, capacity: 2 });
    const keyOf = async () => String(((await redis.command(['KEYS', redis.key('limit:*')])) as string[])[0]);
    await limiter.take('key');
    const key = await keyOf();
    for (const command of [
      ['SET', key, 'no level'],
      ['SET', key, '-1 2'],
      ['HSET', key, 'a', 'b'],
    ]) {
      await redis.command(['DEL', key]);
      await redis.command(command);
      expect([await limiter.take('key'), await limiter.take('key')]).toEqual([
        { allowed: true },
        { allowed: true },
      ]);
    }
    expect((await limiter.take('key')).allowed).toBe(false);
  });

  it('a reply of another shape counts as none: this process decides alone', async () => {
    const fallbacks: unknown[] = [];
    const replies: unknown[] = [null, 'OK', [], [0, 0], [[-1, 1]], [['1', 1]], [[1]], [null], [{}]];
    for (const reply of replies) {
      const limits = new RedisLimits({
        redis: { isInDoubt: false, run: async () => reply },
        ...PATIENT,
        onFallback: (error) => fallbacks.push(error),
      });
      const limiter = limits.limiter('strange', { ...FORTY, capacity: 1 });
      expect([(await limiter.take('key')).allowed, (await limiter.take('key')).allowed]).toEqual([
        true,
        false,
      ]);
    }
    expect(fallbacks).toHaveLength(replies.length);
  });

  it('while Redis is slow or away each process has the rate for itself, and then they share it again', async () => {
    const processes = await Promise.all([connect('away'), connect('away')]);
    const fallbacks: unknown[] = [];
    let nowUs = 0;
    const limiters = processes.map((redis) =>
      new RedisLimits({
        redis,
        secret: 'secret',
        responseMs: 500,
        nowUs: () => nowUs,
        onFallback: (error) => fallbacks.push(error),
      }).limiter('away', FORTY),
    );
    const takeAll = async (key = 'key') => {
      const decisions: Decision[] = [];
      for (const limiter of limiters)
        for (let count = 0; count < 50; count++) decisions.push(await limiter.take(key));
      return passed(decisions);
    };
    server.pause();
    expect(await takeAll()).toBe(80);
    expect(fallbacks).toHaveLength(2);
    server.resume();
    await server.kill();
    await eventually('doubt', () => processes.every(({ isInDoubt }) => isInDoubt) || undefined);
    expect(await takeAll()).toBe(0);
    await server.restart();
    await eventually('Redis is back', () => processes.every(({ isInDoubt }) => !isInDoubt) || undefined);
    await eventually('they share their buckets', async () => {
      nowUs += 10_000_000;
      return (await takeAll(`key at ${nowUs}`)) === 40 || undefined;
    });
  });
});
