/** Slots over all processes (server/platform/limits/shared-slots.ts), on a real server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedSlots } from '../../server/platform/limits/shared-slots.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const log = { info: () => {}, warn: () => {} };
const MAX = 10;
const KEY = 'key';

describe.skipIf(whyNoRedis({ canBeStopped: true }) !== undefined)('slots over all processes', () => {
  let server: RedisServer;
  const open: Redis[] = [];
  let installations = 0;

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(async () => {
    for (const redis of open) await redis.close();
    await server?.[Symbol.asyncDispose]();
  });

  /** Processes that know of each other; those in `dead` are not known to live any more. */
  async function processes(count: number) {
    const installationId = `test ${++installations}`;
    const dead = new Set<number>();
    const redises: Redis[] = [];
    for (let index = 0; index < count; index++)
      redises.push(await Redis.open({ url: server.url, installationId, log }));
    open.push(...redises);
    const slots = redises.map((redis) => {
      const otherProcesses = () =>
        redises
          .filter((other, index) => other !== redis && !dead.has(index))
          .map(({ processId }) => processId);
      return new SharedSlots('test', MAX, { redis, secret: 'secret', otherProcesses, responseMs: 20_000 });
    });
    const [first, second] = slots;
    if (!first || !second) throw new Error('too few');
    return { slots, first, second, dead, redises };
  }

  const keysOf = async ([redis]: Redis[]) =>
    (await server.run(['KEYS', redis?.key('slots:*') ?? ''])) as string[];

  const takeAll = async (slots: SharedSlots, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => slots.tryTake(KEY)))).filter(Boolean).length;

  it('of many that several processes take at the same time, exactly as many pass as there are', async () => {
    const { slots } = await processes(3);
    const taken = await Promise.all(slots.map((each) => takeAll(each, 8)));
    expect(taken.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(MAX);
    // What was refused while another was being refused is free again.
    await eventually('all are taken', async () => {
      for (const each of slots) taken.push(await takeAll(each, 1));
      return taken.reduce((sum, each) => sum + each) === MAX || undefined;
    });
    for (const each of slots) expect(await each.tryTake(KEY)).toBe(false);
  });

  it('a slot that is given back in one process is free in the others', async () => {
    const { first, second } = await processes(2);
    expect([await takeAll(first, 6), await takeAll(second, 4)]).toEqual([6, 4]);
    expect(await second.tryTake(KEY)).toBe(false);
    first.giveBack(KEY);
    await eventually('it is free', async () => (await second.tryTake(KEY)) || undefined);
    expect(await first.tryTake(KEY)).toBe(false);
  });

  it('exempt keys have no bound, and leave nothing in Redis', async () => {
    const { first, redises } = await processes(2);
    for (let count = 0; count < 2 * MAX; count++) expect(await first.tryTake(KEY, true)).toBe(true);
    for (let count = 0; count < 2 * MAX; count++) first.giveBack(KEY);
    expect(first.size).toBe(0);
    expect(await keysOf(redises)).toEqual([]);
  });

  it('slots of a process that has died are free', async () => {
    const { first, second, dead, redises } = await processes(2);
    expect(await takeAll(first, MAX)).toBe(MAX);
    expect(await second.tryTake(KEY)).toBe(false);
    dead.add(0);
    expect(await takeAll(second, MAX)).toBe(MAX);
    const [key = 'none'] = await keysOf(redises);
    expect(await server.run(['HLEN', key])).toBe(1);
  });

  it('a count that is no number counts as none, and the next one replaces it', async () => {
    const { first, second, redises } = await processes(2);
    expect(await takeAll(second, 4)).toBe(4);
    const [key = 'none'] = await keysOf(redises);
    await server.run(['HSET', key, String(redises[1]?.processId), 'many']);
    expect(await takeAll(first, 1)).toBe(1);
    expect(await takeAll(second, 1)).toBe(1);
    expect(await takeAll(first, MAX)).toBe(MAX - 6);
  });

  it('slots of a process that was killed are free before it is known to be dead', async () => {
    const { first, second, redises } = await processes(2);
    expect(await takeAll(first, MAX)).toBe(MAX);
    expect(await second.tryTake(KEY)).toBe(false);
    // A kill closes its connections.
    await redises[0]?.close();
    await eventually('Redis has noticed', async () => {
      const connected = await redises[1]?.connected(redises.map(({ processId }) => processId));
      return connected?.length === 1 || undefined;
    });
    expect(await takeAll(second, MAX)).toBe(MAX);
  });

  it('nothing is written after the table was closed', async () => {
    const { first, redises } = await processes(2);
    expect(await takeAll(first, 1)).toBe(1);
    first.close();
    first.giveBack(KEY);
    // Longer than changes are collected for.
    await sleep(200);
    const [key = 'none'] = await keysOf(redises);
    expect(await server.run(['HLEN', key])).toBe(1);
  });

  it('while Redis is away each process bounds its own; when it is back, empty, all count again', async () => {
    const { first, second, redises } = await processes(2);
    expect(await takeAll(first, 6)).toBe(6);
    await server.kill();
    await eventually('doubt', () => redises.every(({ isInDoubt }) => isInDoubt) || undefined);
    expect([await takeAll(first, MAX), await takeAll(second, 4)]).toEqual([MAX - 6, 4]);
    for (let count = 0; count < 4; count++) first.giveBack(KEY);
    await server.restart();
    await eventually('it is back', () => redises.every(({ isInDoubt }) => !isInDoubt) || undefined);
    await eventually('both counts are written', async () => {
      const [key = 'none'] = await keysOf(redises);
      return (await server.run(['HLEN', key])) === 2 || undefined;
    });
    expect(await second.tryTake(KEY)).toBe(false);
  });
});
