import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { newUserAndRoom, say, texts, unique } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { LogConsumer, type LogConsumerOptions } from './log-consumer.ts';
import { LostCursor, storeCursors, type Work } from './work.ts';

const LONG = { timeout: 20_000 };

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

const running: LogConsumer[] = [];
afterEach(async () => {
  for (const consumer of running.splice(0)) await consumer.stop();
});

/** A consumer that moves its cursor in steps of two, and writes nothing else. */
class Steps implements Work {
  readonly name: string;
  readonly steps: [from: number, to: number][] = [];
  fails = 0;
  isIdle?: () => boolean;
  everyMs?: number;
  spreadMs?: number;
  roomsAtOnce?: number;
  failsIn: number | undefined;

  constructor(name = unique('consumer')) {
    this.name = name;
  }

  async consume({ roomId, stored }: { roomId: number; at: number; stored: number }) {
    if (this.fails-- > 0 || roomId === this.failsIn) throw new Error('the database is away');
    const { store } = opened;
    const head = (await store.findRoom(roomId))?.seq ?? 0;
    const to = Math.min(head, stored + 2);
    if ((await store.moveConsumer({ name: this.name, moves: [{ roomId, from: stored, to }] })).length > 0)
      throw new LostCursor('moved by another process');
    this.steps.push([stored, to]);
    return { at: to, stored: to, head };
  }
}

function run(work: Work, options: Partial<LogConsumerOptions> = {}) {
  const { isShared = false, bus = createMemoryBus() } = options;
  const log = pino({ level: 'silent' });
  running.push(new LogConsumer(work, { ...options, store: opened.store, bus, log, now: Date.now, isShared }));
  return bus;
}

/** A consumer that has never run would begin at the heads. */
async function hasRun({ name }: Work): Promise<void> {
  await opened.store.leaseConsumer({ name, holder: 'before', now: 0, until: 0, isAlone: true });
}

const place = async (work: Work, roomId: number) =>
  (await opened.store.consumerPlace({ name: work.name, roomId }))?.at;

/** Ids of new rooms with so many texts each. */
async function newRooms(count: number, textsEach: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const { user, room } = await newUserAndRoom(opened.store);
    await say(opened.store, { roomId: room.id, userId: user.id }, texts(textsEach));
    ids.push(room.id);
  }
  return ids;
}

it('finds what was posted while it did not run, and goes on from its cursor', async () => {
  const { store } = opened;
  const work = new Steps();
  await hasRun(work);
  const { user, room } = await newUserAndRoom(store);
  await say(store, { roomId: room.id, userId: user.id }, texts(5));
  run(work);
  await expect.poll(() => place(work, room.id), LONG).toBe(5);
  expect(work.steps).toEqual([
    [0, 2],
    [2, 4],
    [4, 5],
  ]);
});

it('where other processes may post, it finds what nobody announced', async () => {
  const work = new Steps();
  await hasRun(work);
  const { store } = opened;
  const { user, room } = await newUserAndRoom(store);
  const at = { roomId: room.id, userId: user.id };
  await say(store, at, texts(1));
  run(work, { isShared: true });
  await expect.poll(() => place(work, room.id), LONG).toBe(1);
  await say(store, at, texts(3));
  await expect.poll(() => place(work, room.id), LONG).toBe(4);
});

it('a look for rooms that have gone on is repeated when it fails', async () => {
  const { store } = opened;
  const work = new Steps();
  await hasRun(work);
  const { user, room } = await newUserAndRoom(store);
  await say(store, { roomId: room.id, userId: user.id }, texts(2));
  const cursors = storeCursors(store, work.name);
  let failures = 0;
  run(work, {
    isShared: true,
    lease: { heldMs: 3_600_000, renewMs: 50 },
    cursors: {
      ...cursors,
      behind: async (of) => {
        if (failures++ < 2) throw new Error('the database is away');
        return await cursors.behind(of);
      },
    },
  });
  await expect.poll(() => place(work, room.id), LONG).toBe(2);
});

it('after an error it goes on where it was', async () => {
  const { store } = opened;
  const work = new Steps();
  await hasRun(work);
  const { user, room } = await newUserAndRoom(store);
  await say(store, { roomId: room.id, userId: user.id }, texts(2));
  work.fails = 2;
  run(work);
  await expect.poll(() => place(work, room.id), LONG).toBe(2);
  expect(work.steps).toEqual([[0, 2]]);
});

it('of two processes, one consumes', async () => {
  const { store } = opened;
  const name = unique('consumer');
  const [one, other] = [new Steps(name), new Steps(name)];
  await hasRun(one);
  const bus = createMemoryBus();
  const { user, room } = await newUserAndRoom(store);
  for (const work of [one, other]) run(work, { isShared: true, bus });
  await say(store, { roomId: room.id, userId: user.id }, texts(4));
  await expect.poll(() => place(one, room.id), LONG).toBe(4);
  expect([one.steps.length === 0, other.steps.length === 0].filter(Boolean)).toHaveLength(1);
});

it('the lease lasts as long as is asked for, and is renewed before it ends', async () => {
  const work = new Steps();
  const cursors = storeCursors(opened.store, work.name);
  const asked: number[] = [];
  run(work, {
    isShared: true,
    lease: { heldMs: 500, renewMs: 50 },
    cursors: {
      ...cursors,
      lease: (of) => {
        asked.push(of.until - of.now);
        return cursors.lease(of);
      },
    },
  });
  await expect.poll(() => asked.length, LONG).toBeGreaterThan(2);
  expect(new Set(asked)).toEqual(new Set([500]));
});

it('a consumer that stops gives its lease back, so that another process goes on at once', async () => {
  const { store } = opened;
  const work = new Steps();
  run(work, { isShared: true, lease: { heldMs: 3_600_000, renewMs: 50 } });
  const take = () =>
    store.leaseConsumer({ name: work.name, holder: 'other', now: Date.now(), until: 0, isAlone: false });
  await expect.poll(() => running.at(-1)?.backlog.hasLease, LONG).toBe(true);
  expect(await take()).toBe(false);
  await running.pop()?.stop();
  expect(await take()).toBe(true);
});

it('a plain text that needs nothing is not read, and the place is stored at the end', async () => {
  const { store } = opened;
  const work = new Steps();
  work.isIdle = () => true;
  const { user, room } = await newUserAndRoom(store);
  await hasRun(work);
  const bus = run(work);
  const at = { roomId: room.id, userId: user.id };
  await say(store, at, texts(1));
  await expect
    .poll(async () => {
      bus.publish({ type: 'head', roomId: room.id, seq: 1 });
      return await place(work, room.id);
    }, LONG)
    .toBe(1);
  const read = work.steps.length;
  await say(store, at, texts(3));
  for (const message of await store.messagesAfter({ roomId: room.id, seq: 1, limit: 9 }))
    bus.publish({ type: 'message', roomId: room.id, message });
  for (const consumer of running.splice(0)) await consumer.stop();
  expect(work.steps).toHaveLength(read);
  expect(await place(work, room.id)).toBe(4);
});

it('while there are always news, there is a pause between runs of work, and the first news do not wait', async () => {
  const { store } = opened;
  const [often, rarely] = [new Steps(), new Steps()];
  rarely.everyMs = 3_600_000;
  const { user, room } = await newUserAndRoom(store);
  const bus = createMemoryBus();
  for (const work of [often, rarely]) {
    await hasRun(work);
    run(work, { bus });
  }
  const at = { roomId: room.id, userId: user.id };
  for (const [index, read] of [
    [1, [1, 1]],
    [2, [2, 1]],
  ] as const) {
    await say(store, at, texts(1));
    const places = () => Promise.all([often, rarely].map((work) => place(work, room.id)));
    await expect
      .poll(async () => {
        bus.publish({ type: 'head', roomId: room.id, seq: index });
        return await places();
      }, LONG)
      .toEqual(read);
  }
});

it('of rooms that are handled at once, one that fails keeps its place, and the others go on', async () => {
  const work = new Steps();
  work.roomsAtOnce = 3;
  await hasRun(work);
  const rooms = await newRooms(5, 3);
  work.failsIn = rooms[1];
  run(work);
  const places = () => Promise.all(rooms.map((roomId) => place(work, roomId)));
  await expect.poll(places, LONG).toEqual([3, 0, 3, 3, 3]);
  work.failsIn = undefined;
  await expect.poll(places, LONG).toEqual([3, 3, 3, 3, 3]);
});

it('the rooms of one run are spread over its time, which a stop ends', async () => {
  const work = new Steps();
  await hasRun(work);
  const rooms = await newRooms(3, 1);
  const reached = async () => {
    const places = await Promise.all(rooms.map((roomId) => place(work, roomId)));
    return places.filter((at) => at === 1).length;
  };
  work.spreadMs = 3_600_000;
  run(work);
  await expect.poll(() => work.steps.length, LONG).toBe(1);
  await running.pop()?.stop();
  expect([work.steps.length, await reached()]).toEqual([1, 1]);
  work.spreadMs = 100;
  run(work);
  await expect.poll(reached, LONG).toBe(3);
});
