/**
 * Whatever arrives from Redis: it does nothing, or is what a process could have said; and the next event comes through.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusEvent } from '../../server/data/bus/bus.ts';
import { createRedisBus, type RedisBus } from '../../server/data/bus/redis.ts';
import { encodeMessage } from '../../server/entrypoints/realtime/wire/shared-frames.ts';
import { RedisExchange } from '../../server/features/presence/cluster/redis-exchange.ts';
import { Rosters } from '../../server/features/presence/cluster/rosters.ts';
import { Presence } from '../../server/features/presence/presence.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { runSeed } from '../support/random.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';

const seed = runSeed();
const LIMITS = { seed, numRuns: 200, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false };
const log = { info: () => {}, warn: () => {} };
const ROOM = 3;
const OWN = { userId: 1, username: 'ann' };

const person = { user_id: 7, username: 'bo' };
const notice = JSON.stringify({ kind: 'joined', by: person, member: { ...person, role: 'member' } });
const text = {
  ...{ id: 5, roomId: ROOM, seq: 4, changedSeq: 4, userId: 7, username: 'bo', cid: 'c', content: 'hello' },
  ...{ createdAt: 1_700_000_000_000, notice: null, facts: null },
};
const joined = { ...text, cid: null, content: '', notice };
const from = 'another process';

/** What processes say on each channel. */
const SAID: Record<string, object[]> = {
  'e:r:{3}:3': [{ v: 1, from, head: 4, events: [text, [7, 'bo', true], joined] }],
  'e:h:3': [
    {
      v: 1,
      from,
      rooms: [
        [ROOM, 4, [joined]],
        [67, 2],
      ],
    },
  ],
  'e:u:7': [{ v: 1, from, logs: [[7, 3]], profiles: [[7, 2]] }],
  'e:control': [{ v: 1, from, revoked: [9, 10] }],
  presence: [
    { v: 1, notice: { type: 'changes', from, n: 1, changes: [[ROOM, 7, 'bo', 1]] } },
    { v: 1, notice: { type: 'heartbeat', from, n: 1, hasDatabase: true } },
    { v: 1, notice: { type: 'leaving', from, n: 1 } },
    { v: 1, notice: { type: 'ask', from, to: 'nobody' } },
    { v: 1, notice: { type: 'stored', from, n: 1 } },
  ],
};
const CHANNELS = Object.keys(SAID);
const ROSTER = {
  v: 1,
  n: 3,
  isLeaving: false,
  rooms: [
    [0, [7], ['bo']],
    [ROOM, [7, 8], ['bo', 'cy']],
  ],
};

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(-1, 0.5, 1e300, 2 ** 53, '', '{', null, [], {}, '__proto__'),
);
/** Without the field that every payload has, so that it is none by chance. */
const garbage = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 50 }).map((text) => text.toWellFormed()),
    fc.json(),
  )
  .filter((text) => !text.includes('"v"'));

/** The payload with one of its values replaced, or missing, or its text cut off. */
function mutated(payload: object): fc.Arbitrary<string> {
  const paths = pathsOf(payload);
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...paths), junk)
      .map(([path, value]) => JSON.stringify(replaced(payload, path, value))),
    fc.constantFrom(...paths).map((path) => JSON.stringify(replaced(payload, path, undefined))),
    fc.nat(JSON.stringify(payload).length - 1).map((length) => JSON.stringify(payload).slice(0, length)),
  );
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ]);
}

function replaced(value: unknown, [key = '', ...rest]: string[], by: unknown): unknown {
  const inner = (value as Record<string, unknown>)[key];
  const next = rest.length === 0 ? by : replaced(inner, rest, by);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? next : item));
  return { ...(value as object), [key]: next };
}

describe.skipIf(whyNoRedis() !== undefined)('payloads from Redis', () => {
  let server: RedisServer;
  let near: Redis;
  let far: Redis;
  let bus: RedisBus;
  let exchange: RedisExchange;
  let presence: Presence;
  let rosters: Rosters;
  let onMarker = () => {};
  const heard: BusEvent[] = [];
  const dropped: string[] = [];
  const failures: unknown[] = [];

  beforeAll(async () => {
    console.info(`fuzz seed ${seed} (SEED=${seed} brings it back)`);
    server = await RedisServer.start();
    const options = { url: server.url, installationId: `fuzz ${process.pid}`, log };
    [near, far] = [await Redis.open(options), await Redis.open(options)];
    const onGarbage = (where: string) => dropped.push(where);
    bus = await createRedisBus(far, 'e', onGarbage);
    bus.subscribe((event) => heard.push(event));
    await bus.enter(ROOM);
    exchange = new RedisExchange(far, onGarbage);
    presence = new Presence();
    presence.enter(ROOM, OWN);
    rosters = new Rosters({ presence, exchange, onFailure: (error) => failures.push(error) });
    await rosters.start();
    await far.subscribe('marker', () => onMarker());
  });
  afterAll(async () => {
    await rosters?.leave();
    await bus?.close();
    await Promise.all([near?.close(), far?.close()]);
    await server?.[Symbol.asyncDispose]();
  });

  /** Publishes, and waits until all has arrived. The bus still carries events then. */
  async function publish(payloads: readonly (readonly [string, string])[]): Promise<BusEvent[]> {
    heard.length = 0;
    dropped.length = 0;
    for (const [channel, payload] of payloads) near.publish(channel, payload);
    near.publish('e:control', JSON.stringify({ v: 1, from, revoked: [123] }));
    const arrival = new Promise<void>((resolve) => {
      onMarker = resolve;
    });
    near.publish('marker', '');
    await arrival;
    expect(failures).toEqual([]);
    expect(heard.at(-1)).toEqual({ type: 'session_revoked', sessionId: 123 });
    expect(presence.sockets(ROOM, OWN.userId)).toBe(1);
    return heard.slice(0, -1);
  }

  test('what is no envelope is dropped and reported, and changes nothing', async () => {
    const payloads = fc.array(fc.tuple(fc.constantFrom(...CHANNELS), garbage), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(payloads, async (all) => {
        expect(await publish(all)).toEqual([]);
        expect(dropped).toHaveLength(all.length);
        expect(presence.roster()).toEqual([{ roomId: ROOM, ...OWN }]);
      }),
      LIMITS,
    );
  });

  test('a payload that differs in one place from a good one is dropped, or is as good', async () => {
    const one = fc
      .constantFrom(...CHANNELS)
      .chain((channel) =>
        fc
          .constantFrom(...(SAID[channel] ?? []))
          .chain((said) => mutated(said).map((text) => [channel, text] as const)),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 20 }), async (all) => {
        for (const event of await publish(all)) expectGood(event);
        for (const { roomId, userId, username } of presence.roster()) {
          expect([Number.isSafeInteger(roomId), Number.isSafeInteger(userId), typeof username]).toEqual([
            true,
            true,
            'string',
          ]);
        }
      }),
      LIMITS,
    );
  });

  test('good payloads are not dropped', async () => {
    const all = CHANNELS.flatMap((channel) =>
      (SAID[channel] ?? []).map((said) => [channel, JSON.stringify(said)] as const),
    );
    const events = await publish(all);
    expect(dropped).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      ...['message', 'typing', 'message', 'message', 'head', 'head'],
      ...['user_log', 'profile', 'session_revoked', 'session_revoked'],
    ]);
  });

  test('a stored roster that is garbage is not read, and those beside it are', async () => {
    const store = async (name: string, value: string) => {
      await near.command(['SET', near.key(`roster:${name}`), value]);
      await near.command(['SADD', near.key('rosters'), name]);
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(garbage, mutated(ROSTER)), async (value) => {
        await store('good', JSON.stringify(ROSTER));
        await store('strange', value);
        const rosters = await exchange.readAll();
        const { entries } = rosters.find(({ process }) => process === 'good') ?? {};
        expect(entries).toHaveLength(3);
        for (const { n, entries, isLeaving } of rosters) {
          expect([Number.isSafeInteger(n), typeof isLeaving]).toEqual([true, 'boolean']);
          for (const { username } of entries) expect(typeof username).toBe('string');
        }
      }),
      LIMITS,
    );
  });
});

/** A listener can use every field of it. */
function expectGood(event: BusEvent): void {
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'number')
      expect([name, Number.isSafeInteger(value) && value >= 0]).toEqual([name, true]);
  }
  if (event.type !== 'message') return;
  const { message, roomId } = event;
  expect(message.roomId).toBe(roomId);
  expect(() => JSON.parse(encodeMessage(message).json)).not.toThrow();
}
