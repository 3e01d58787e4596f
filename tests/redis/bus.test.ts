/** The bus over Redis (server/data/bus/redis.ts): the contract of every bus, and what is its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BusSubject, describeBus } from '../../server/data/bus/bus.contract.ts';
import type { BusEvent } from '../../server/data/bus/bus.ts';
import { createRedisBus, type RedisBus } from '../../server/data/bus/redis.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const log = { info: () => {}, warn: () => {} };
const EPOCH = 'first';
const ROOM = 3;

interface Subject extends BusSubject {
  near: RedisBus;
  far: RedisBus;
  nearRedis: Redis;
  /** The channels of payloads that the far end has dropped. */
  garbage: string[];
}

describe.skipIf(whyNoRedis() !== undefined)('the bus over Redis', () => {
  let server: RedisServer;
  let installations = 0;

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  async function create(farEpoch = EPOCH): Promise<Subject> {
    const options = { url: server.url, installationId: `bus ${process.pid} ${installations++}`, log };
    const [nearRedis, farRedis] = [await Redis.open(options), await Redis.open(options)];
    const garbage: string[] = [];
    const near = await createRedisBus(nearRedis, EPOCH);
    const far = await createRedisBus(farRedis, farEpoch, (channel) => garbage.push(channel));
    let arrived = 0;
    let markers = 0;
    for (const redis of [nearRedis, farRedis]) await redis.subscribe('marker', () => arrived++);
    const settled = async () => {
      near.flush();
      markers += 2;
      nearRedis.publish('marker', '');
      await eventually('everything has arrived', () => arrived >= markers || undefined);
    };
    const close = async () => {
      await Promise.all([near.close(), far.close()]);
      await Promise.all([nearRedis.close(), farRedis.close()]);
    };
    return { near, far, nearRedis, garbage, settled, close };
  }

  async function withBus(test: (subject: Subject, heard: BusEvent[]) => Promise<void>): Promise<void> {
    const subject = await create();
    const heard: BusEvent[] = [];
    subject.far.subscribe((event) => heard.push(event));
    try {
      await test(subject, heard);
    } finally {
      await subject.close();
    }
  }

  describeBus('the bus over Redis', () => create());

  const message = (changedSeq: number, content = 'hello') => ({
    ...{ id: 5, roomId: ROOM, seq: changedSeq, userId: 7, username: 'ann', content, createdAt: 1 },
    ...{ cid: null, changedSeq, notice: null, facts: null },
  });

  it('what a process says to a room in one turn is one message of Redis', () =>
    withBus(async ({ near, far, nearRedis, garbage, settled }, heard) => {
      await far.enter(ROOM);
      let envelopes = 0;
      await nearRedis.subscribe(`${EPOCH}:r:{3}:3`, () => envelopes++);
      for (let seq = 1; seq <= 50; seq++)
        near.publish({ type: 'message', roomId: ROOM, message: message(seq) });
      await settled();
      expect(envelopes).toBe(1);
      expect(garbage).toEqual([]);
      expect(heard.filter(({ type }) => type === 'message')).toHaveLength(50);
    }));

  it('more than 64 KiB in one turn is announced by its number alone', () =>
    withBus(async ({ near, far, settled }, heard) => {
      await far.enter(ROOM);
      const content = 'x'.repeat(4000);
      for (let seq = 1; seq <= 20; seq++) {
        near.publish({ type: 'message', roomId: ROOM, message: message(seq, content) });
      }
      await settled();
      expect(heard.filter(({ type }) => type === 'message')).toEqual([]);
      expect(heard).toContainEqual({ type: 'head', roomId: ROOM, seq: 20 });
    }));

  it('of an envelope of another version only the number is read, and what is no envelope is dropped and reported', () =>
    withBus(async ({ far, nearRedis, garbage, settled }, heard) => {
      await far.enter(ROOM);
      nearRedis.publish(
        `${EPOCH}:r:{3}:3`,
        JSON.stringify({ v: 2, from: 'newer', head: 9, events: 'in another form' }),
      );
      nearRedis.publish(
        `${EPOCH}:h:3`,
        JSON.stringify({ v: 2, from: 'newer', rooms: [[ROOM, 10, 'in another form']] }),
      );
      for (const channel of [`${EPOCH}:r:{3}:3`, `${EPOCH}:h:3`, `${EPOCH}:u:3`, `${EPOCH}:control`]) {
        for (const payload of ['{', 'null', '[]', '{"v":1,"rooms":1,"events":1,"logs":1,"revoked":1}']) {
          nearRedis.publish(channel, payload);
        }
      }
      await settled();
      expect(heard).toEqual([
        { type: 'head', roomId: ROOM, seq: 9 },
        { type: 'head', roomId: ROOM, seq: 10 },
      ]);
      expect(garbage).toEqual(
        ['r:{3}:3', 'h:3', 'u:3', 'control'].flatMap((channel) => Array(4).fill(channel)),
      );
    }));

  it('processes of different epochs do not hear each other: their numbers are not of one log', async () => {
    const subject = await create('second');
    const heard: BusEvent[] = [];
    subject.far.subscribe((event) => heard.push(event));
    await subject.far.enter(ROOM);
    subject.near.publish({ type: 'message', roomId: ROOM, message: message(1) });
    subject.near.publish({ type: 'user_log', userId: 7, seq: 1 });
    await subject.settled();
    expect(heard).toEqual([]);
    await subject.close();
  });

  it('two installations on one Redis do not hear each other', async () => {
    const [one, other] = [await create(), await create()];
    const heard: BusEvent[] = [];
    other.far.subscribe((event) => heard.push(event));
    one.near.publish({ type: 'session_revoked', sessionId: 1 });
    await one.settled();
    await other.settled();
    expect(heard).toEqual([]);
    await Promise.all([one.close(), other.close()]);
  });
});
