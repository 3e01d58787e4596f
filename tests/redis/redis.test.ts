/** How a process uses Redis (server/platform/redis/), on a real server that comes and goes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measures } from '../../server/platform/metrics/measures.ts';
import type { RedisLink } from '../../server/platform/redis/link.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { Script } from '../../server/platform/redis/script.ts';
import { openLink } from '../../server/platform/redis/start-check.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const log = { info: () => {}, warn: () => {} };
const COUNT = new Script(`return redis.call('INCRBY', KEYS[1], ARGV[1])`);

describe.skipIf(whyNoRedis({ canBeStopped: true }) !== undefined)('Redis, as a process uses it', () => {
  let server: RedisServer;
  const open: Redis[] = [];

  async function connect(url = server.url): Promise<Redis> {
    const redis = await Redis.open({ url, installationId: 'test', log });
    open.push(redis);
    return redis;
  }

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(async () => {
    for (const redis of open) await redis.close();
    await server[Symbol.asyncDispose]();
  });

  it('a publish that the server refuses is counted, and said with its cause', async () => {
    const said: unknown[][] = [];
    const redis = await Redis.open({
      ...{ url: server.url, installationId: 'test' },
      log: { info: () => {}, warn: (...line: unknown[]) => void said.push(line) },
    });
    open.push(redis);
    const lost = measures.publishesLost;
    await server.run(['ACL', 'SETUSER', 'default', '-publish']);
    try {
      redis.publish('anything', 'text');
      await expect.poll(() => measures.publishesLost, { timeout: 20_000 }).toBeGreaterThan(lost);
      expect(said).toContainEqual([
        expect.objectContaining({
          err: expect.objectContaining({ message: expect.stringMatching(/^NOPERM/) }),
        }),
        'Redis refuses announcements: the others find them in the database',
      ]);
    } finally {
      await server.run(['ACL', 'SETUSER', 'default', '+publish']);
    }
  });

  it('those who listen to a channel receive what is published there, in order, the publisher included', async () => {
    const [near, far] = [await connect(), await connect()];
    const heard: string[][] = [[], []];
    await near.subscribe('c', (payload) => heard[0]?.push(payload));
    await far.subscribe('c', (payload) => heard[1]?.push(payload));
    const sent = Array.from({ length: 100 }, (_, index) => `payload ${index}`);
    for (const payload of sent) near.publish('c', payload);
    await eventually('both have all', () => heard.every((each) => each.length === 100) || undefined);
    expect(heard).toEqual([sent, sent]);
  });

  it('a busy process publishes all of a turn together, not 16 KiB with each turn of its event loop', async () => {
    const redis = await connect();
    const payload = 'x'.repeat(8 * 1024);
    const sent = 256;
    let heard = 0;
    await redis.subscribe('much', () => {
      heard++;
    });
    for (let count = 0; count < sent; count++) redis.publish('much', payload);
    let turns = 0;
    for (; heard < sent && turns < sent; turns++) await busyTurn();
    expect(turns).toBeLessThan(sent / 4);
  });

  it('a new connection on which Redis falls silent before all is subscribed is replaced', async () => {
    const links: RedisLink[] = [];
    const openSilent = async () => {
      const link = await openLink(server.url);
      // The second one is silent. The first one is the process's start, and the third one brings all back.
      if (links.length === 1) link.subscribe = () => new Promise(() => {});
      links.push(link);
      return link;
    };
    const redis = await Redis.open({ url: server.url, open: openSilent, installationId: 'test', log });
    open.push(redis);
    links[0]?.destroy(new Error('cut'));
    await eventually('a third connection', () => (links.length === 3 && !redis.isInDoubt) || undefined);
  });

  it('closing ends a connection that is being opened, too', async () => {
    const links: RedisLink[] = [];
    let letIn: () => void = () => {};
    let isOpening = () => {};
    const opening = new Promise<void>((resolve) => {
      isOpening = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    const openLate = async () => {
      if (links.length > 0) {
        isOpening();
        await gate;
      }
      const link = await openLink(server.url);
      links.push(link);
      return link;
    };
    const redis = await Redis.open({ url: server.url, open: openLate, installationId: 'test', log });
    links[0]?.destroy(new Error('cut'));
    await opening;
    const closed = redis.close();
    letIn();
    await closed;
    for (const link of links) await link.lost;
  });

  it('a channel that is dropped and taken again within a turn is heard', async () => {
    const redis = await connect();
    const heard: string[] = [];
    await redis.subscribe('d', (payload) => heard.push(`first ${payload}`));
    redis.unsubscribe('d');
    await redis.subscribe('d', (payload) => heard.push(`second ${payload}`));
    redis.publish('d', 'one');
    await eventually('it is heard', () => heard.length > 0 || undefined);
    expect(heard).toEqual(['second one']);
    redis.unsubscribe('d');
    redis.publish('d', 'two');
    await redis.command(['PING']);
    expect(heard).toHaveLength(1);
  });

  it('a process whose connections were closed is not connected, whoever still believes that it lives', async () => {
    const [first, second] = [await connect(), await connect()];
    const ids = [first.processId, 'nobody', second.processId];
    expect(await second.connected(ids)).toEqual([first.processId, second.processId]);
    expect(await second.connected([])).toEqual([]);
    await first.close();
    await eventually(
      'Redis has noticed',
      async () => (await second.connected(ids)).length === 1 || undefined,
    );
    expect(await second.connected(ids)).toEqual([second.processId]);
  });

  it('a script runs although the server does not have it, and its keys carry the prefix', async () => {
    const redis = await connect();
    expect(await redis.run(COUNT, ['count'], ['2'])).toBe(2);
    await redis.command(['SCRIPT', 'FLUSH']);
    expect(await redis.run(COUNT, ['count'], ['3'])).toBe(5);
    expect(await redis.command(['GET', 'roomful:test:count'])).toBe('5');
    expect(redis.key('count')).toBe('roomful:test:count');
  });

  it('an error of the server, and a reply that comes too late, reject', async () => {
    const redis = await connect();
    await expect(redis.command(['INCR'])).rejects.toThrow('wrong number of arguments');
    await expect(redis.command(['BLPOP', 'nothing', '0'], 50)).rejects.toThrow('in time');
  });

  it('a server that is killed and comes back: doubt, then everything is heard again', async () => {
    const redis = await connect();
    const doubts: boolean[] = [];
    redis.onDoubt(() => doubts.push(redis.isInDoubt));
    const heard: string[] = [];
    const listen = (payload: string) => heard.push(payload);
    // More than one command takes.
    const channels = Array.from({ length: 2500 }, (_, index) => `many:${index}`);
    await Promise.all(channels.map((channel) => redis.subscribe(channel, listen)));
    await server.kill();
    await eventually('the doubt', () => redis.isInDoubt || undefined);
    await expect(redis.command(['PING'])).rejects.toThrow('away');
    redis.publish('many:0', 'lost');
    await redis.subscribe('taken while away', listen);
    redis.unsubscribe('many:7');
    await server.restart();
    await eventually('it is back', () => !redis.isInDoubt || undefined);
    expect(doubts.slice(0, 2)).toEqual([true, false]);
    for (const channel of ['many:0', 'many:7', 'many:2499', 'taken while away'])
      redis.publish(channel, channel);
    await eventually('everything is heard', () => heard.length === 3 || undefined);
    expect(heard).toEqual(['many:0', 'many:2499', 'taken while away']);
  });

  it('a server that stops without closing its connections: doubt, and subscribing ends', async () => {
    const redis = await connect();
    server.pause();
    try {
      await redis.subscribe('never confirmed', () => {});
      expect(redis.isInDoubt).toBe(true);
    } finally {
      server.resume();
    }
    await eventually('it is back', () => !redis.isInDoubt || undefined);
  });

  it('a connection that the server closes, whichever it is: doubt, then everything is heard again', async () => {
    const redis = await connect();
    let heard = 0;
    await redis.subscribe('cut', () => heard++);
    for (const type of ['normal', 'pubsub']) {
      let doubts = 0;
      const stop = redis.onDoubt(() => doubts++);
      await server.run(['CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes']);
      await eventually('it came and went', () => (doubts >= 2 && !redis.isInDoubt) || undefined);
      stop();
      const before = heard;
      redis.publish('cut', '');
      await eventually('it is heard', () => heard > before || undefined);
    }
  });
});

describe.skipIf(whyNoRedis({ canBeStopped: true }) !== undefined)('a Redis that cannot be used', () => {
  const openAt = (url: string) => Redis.open({ url, installationId: 'test', log });

  it('is refused with a sentence that names the address, never the password', async () => {
    await using server = await RedisServer.start({ requirepass: 'right' });
    const wrong = server.url.replace('right', 'guess');
    await expect(openAt(wrong)).rejects.toThrow(
      `Redis at 127.0.0.1:${server.port} cannot be used: WRONGPASS invalid username-password pair`,
    );
    await expect(openAt(wrong)).rejects.not.toThrow('guess');
    const redis = await openAt(server.url);
    expect(redis.isInDoubt).toBe(false);
    await redis.close();
    await server.kill();
    await expect(openAt(server.url)).rejects.toThrow('Start it, or check REDIS_URL.');
  });

  it('is refused when its user may not publish', async () => {
    await using server = await RedisServer.start();
    await server.run(['ACL', 'SETUSER', 'mute', 'on', '>word', '+@all', '-publish', '~*', '&*']);
    const url = server.url.replace('redis://', 'redis://mute:word@');
    await expect(openAt(url)).rejects.toThrow('nothing that Roomful publishes there comes back');
  });
});

/** Redis has time to take what it gets in this turn, and to send it on. */
async function busyTurn(): Promise<void> {
  const end = performance.now() + 10;
  while (performance.now() < end);
  await nextTurn();
}
