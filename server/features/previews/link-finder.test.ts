import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import type { BusEvent } from '../../data/bus/bus.ts';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { NOW, newUser, newUserAndRoom } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { extraOf } from '../../rules/message.ts';
import { LogConsumer } from '../consumers/log-consumer.ts';
import { LinkFinder } from './link-finder.ts';
import { PreviewWorker } from './worker.ts';

const LONG = { timeout: 20_000 };
const HOUR = 3_600_000;

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

const running: LogConsumer[] = [];
const stopAll = async () => {
  for (const consumer of running.splice(0)) await consumer.stop();
};
afterEach(stopAll);

type Look = (url: string) => Promise<LinkPreview | undefined>;
const titled: Look = async (url) => ({ url, title: `Page ${url}` });

/** The consumer as a process runs it; `look` stands for the network. */
function run(look: Look = titled) {
  const { store } = opened;
  const bus = createMemoryBus();
  const events: BusEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const log = pino({ level: 'silent' });
  const worker = new PreviewWorker({
    ...{ store, bus, log, now: Date.now, ownOrigins: ['https://chat.example'] },
    previews: { of: (url) => look(url) },
    pictures: { drop: async () => undefined },
  });
  const finder = new LinkFinder({ store, worker });
  running.push(new LogConsumer(finder, { store, bus, log, now: Date.now, isShared: true }));
  return { worker, events };
}

/** A consumer that has never run would begin at the heads. */
async function newRoom({ isOn = true } = {}) {
  const { store } = opened;
  await store.leaseConsumer({ name: 'previews', holder: 'before', now: 0, until: 0, isAlone: true });
  const { user, room } = await newUserAndRoom(store);
  const patch = { settings: isOn ? { link_previews: true as const } : {} };
  await store.changeRoom({ roomId: room.id, actorId: user.id, patch, now: NOW });
  const say = async (content: string, { userId = user.id, at = Date.now() } = {}) => {
    const said = await store.append({ roomId: room.id, userId, cid: null, content, now: at });
    if (said.outcome !== 'stored') throw new Error(said.outcome);
    return said.id;
  };
  const previews = async (messageId: number) => {
    const facts = (await store.message({ roomId: room.id, messageId }))?.facts;
    return facts ? extraOf(facts).previews : undefined;
  };
  const target = (messageId: number) => ({ roomId: room.id, messageId, actorId: user.id, now: Date.now() });
  return { user, roomId: room.id, say, previews, target };
}
const tasks = (roomId: number) =>
  opened.store.previewTasks({ limit: 5000 }).then((all) => all.filter((task) => task.roomId === roomId));

it('what was posted while it did not run gets its previews, in the order of the links, and is announced', async () => {
  const room = await newRoom();
  const id = await room.say('https://b.example/ https://a.example/');
  const { events } = run();
  await expect
    .poll(() => room.previews(id), LONG)
    .toMatchObject([{ url: 'https://b.example/' }, { url: 'https://a.example/' }]);
  expect(events).toMatchObject([{ type: 'message', roomId: room.roomId, message: { id } }]);
  expect(await tasks(room.roomId)).toEqual([]);
});

it('what a process was looking at when it died, the next one looks at', async () => {
  const room = await newRoom();
  const id = await room.say('https://a.example/');
  let begun = 0;
  run(() => {
    begun++;
    return new Promise(() => undefined);
  });
  await expect.poll(() => begun, LONG).toBe(1);
  expect(await tasks(room.roomId)).toHaveLength(1);
  // As a kill leaves it: the first consumer never ends what it has begun.
  running.splice(0);
  const { store } = opened;
  await store.leaseConsumer({
    name: 'previews',
    holder: 'next',
    now: Date.now() + HOUR,
    until: 0,
    isAlone: true,
  });
  run();
  await expect.poll(() => room.previews(id), LONG).toMatchObject([{ url: 'https://a.example/' }]);
  expect(await tasks(room.roomId)).toEqual([]);
});

it('a stop ends what is under way without a result, and leaves it for the next start', async () => {
  const room = await newRoom();
  const id = await room.say('https://a.example/');
  let fail = (_: Error) => {};
  let begun = 0;
  run(() => {
    begun++;
    return new Promise((_, reject) => {
      fail = reject;
    });
  });
  await expect.poll(() => begun, LONG).toBe(1);
  const stopped = stopAll();
  fail(new Error('the connection was ended'));
  await stopped;
  expect(await room.previews(id)).toBeUndefined();
  expect(await tasks(room.roomId)).toHaveLength(1);
  run();
  await expect.poll(() => room.previews(id), LONG).toHaveLength(1);
});

it('a room that wants none, an old text, a link to the server itself, and what was removed: nothing is looked at', async () => {
  const [off, room] = [await newRoom({ isOn: false }), await newRoom()];
  const quiet = await off.say('https://off.example/');
  const old = await room.say('https://old.example/', { at: Date.now() - 2 * HOUR });
  const own = await room.say('https://chat.example/room/1');
  const removed = await room.say('https://removed.example/');
  await opened.store.removePreviews(room.target(removed));
  const last = await room.say('https://last.example/');
  const looked: string[] = [];
  run((url) => {
    looked.push(url);
    return titled(url);
  });
  await expect.poll(() => room.previews(last), LONG).toHaveLength(1);
  expect(looked).toEqual(['https://last.example/']);
  expect(await Promise.all([room.previews(old), room.previews(own), off.previews(quiet)])).toEqual(
    Array(3).fill(undefined),
  );
});

it('a text that is edited while it is looked at gets the previews of what it says then', async () => {
  const room = await newRoom();
  const id = await room.say('https://one.example/');
  const { store } = opened;
  run(async (url) => {
    if (url === 'https://one.example/')
      await store.editMessage({ ...room.target(id), content: 'https://two.example/', baseRevision: 0 });
    return titled(url);
  });
  await expect.poll(() => room.previews(id), LONG).toMatchObject([{ url: 'https://two.example/' }]);
});

it('one that is deleted while it is looked at gets none', async () => {
  const room = await newRoom();
  const id = await room.say('https://one.example/');
  const { store } = opened;
  run(async (url) => {
    await store.deleteMessage(room.target(id));
    return titled(url);
  });
  await expect
    .poll(() => store.message({ roomId: room.roomId, messageId: id }), LONG)
    .toMatchObject({
      facts: { extra: null },
    });
  await expect.poll(() => tasks(room.roomId), LONG).toEqual([]);
});

it('of one author two messages are looked at at once, of all eight, and others do not wait for them', async () => {
  const room = await newRoom();
  const others = [await newUser(opened.store), await newUser(opened.store)];
  for (let count = 0; count < 20; count++) await room.say(`https://slow.example/${count}`);
  const ids: number[] = [];
  for (const { id: userId } of others) {
    await opened.store.joinRoom({ roomId: room.roomId, userId, now: Date.now() });
    ids.push(await room.say(`https://quick.example/${userId}`, { userId }));
  }
  let [atOnce, most] = [0, 0];
  const ends: (() => void)[] = [];
  const { worker } = run(async (url) => {
    if (!url.includes('slow')) return titled(url);
    most = Math.max(most, ++atOnce);
    await new Promise<void>((resolve) => ends.push(resolve));
    atOnce--;
    return titled(url);
  });
  for (const id of ids) await expect.poll(() => room.previews(id), LONG).toHaveLength(1);
  expect(worker.waiting).toBeGreaterThan(10);
  while (worker.waiting > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  expect(most).toBe(2);
});

it('an author has 50 messages waiting at most: of the others the links are not looked at', async () => {
  const room = await newRoom();
  const other = await newUser(opened.store);
  await opened.store.joinRoom({ roomId: room.roomId, userId: other.id, now: Date.now() });
  for (let count = 0; count < 60; count++) await room.say(`https://slow.example/${count}`);
  const id = await room.say('https://quick.example/', { userId: other.id });
  const ends: (() => void)[] = [];
  const { worker } = run(async (url) => {
    if (url.includes('slow')) await new Promise<void>((resolve) => ends.push(resolve));
    return titled(url);
  });
  await expect.poll(() => room.previews(id), LONG).toHaveLength(1);
  expect(await tasks(room.roomId)).toHaveLength(50);
  while (worker.waiting > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
});

it('a failure of this server is tried again, and the message waits meanwhile', async () => {
  const room = await newRoom();
  const id = await room.say('https://a.example/');
  let tries = 0;
  run(async (url) => {
    if (++tries === 1) throw new Error('too many requests wait');
    return titled(url);
  });
  await expect.poll(() => room.previews(id), LONG).toHaveLength(1);
  expect(tries).toBe(2);
});
