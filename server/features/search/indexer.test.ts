import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { newRoom, newUserAndRoom } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { LogConsumer } from '../consumers/log-consumer.ts';
import { Indexer } from './indexer.ts';
import { type Call, gate, WatchedIndex } from './testing/watched-index.ts';

const LONG = { timeout: 30_000 };
/** So many ids a build goes through, where there are few rooms, before it says how far it has come. */
const STEP = 4096;
const BEGUN = Date.UTC(2026, 10, 1);
/** Of the texts, by their ids. The last one is older than its id says, as after an import. */
const TIMES = [...Array.from({ length: 2 * STEP + 200 }, (_, place) => BEGUN + place), BEGUN - 1];

let opened: TemporaryStore;
let userId = 0;
/** Of two rooms whose texts take turns, and of one that has the last text alone. */
let roomIds: number[] = [];
/** Those of the database, by their ids. */
let ids: number[] = [];
beforeAll(async () => {
  opened = await openTemporaryStore();
  const { store } = opened;
  const { user, room } = await newUserAndRoom(store);
  userId = user.id;
  roomIds = [room.id, (await newRoom(store, user.id)).id, (await newRoom(store, user.id)).id];
  const roomOf = (time: number, place: number) => roomIds[time < BEGUN ? 2 : place % 2] ?? 0;
  ids = await Promise.all(TIMES.map((time, place) => post(roomOf(time, place), 'of old', time)));
});
afterAll(async () => await opened?.dispose());

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function post(roomId: number, content: string, now: number): Promise<number> {
  const stored = await opened.store.append({ roomId, userId, content, cid: null, now });
  if (stored.outcome !== 'stored') throw new Error(stored.outcome);
  return stored.id;
}

interface Line {
  level: number;
  msg: string;
}

/** An index in a folder, and an indexer that does not have the lease yet. */
function newIndexer(dataDir = newFolder()) {
  const { store } = opened;
  const onDamage = () => undefined;
  const index = new WatchedIndex({ dataDir, epoch: 'one', languages: [], store, onDamage });
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const indexer = new Indexer({ index, store, log });
  open.push(
    () => index.close(),
    () => indexer.end(),
  );
  const take = () => indexer.cursors.lease({ holder: 'test', now: 0, until: 1, isAlone: true });
  const isComplete = async () => (await index.state())?.fromId === 0;
  return {
    ...{ dataDir, index, indexer, log, take },
    said: () => lines.map(({ msg }) => msg),
    warned: () => lines.filter(({ level }) => level > 30).map(({ msg }) => msg),
    async begin() {
      await take();
      indexer.begin();
    },
    untilComplete: () => expect.poll(isComplete, LONG).toBe(true),
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomful-indexer-'));
  open.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Where a test fails, its build has to end all the same. */
function newGate() {
  const made = gate();
  open.push(made.go);
  return made;
}

const isOfLastStep = (call: Call) => call.name === 'add' && call.ids.some((id) => id < STEP);
const ascending = (all: readonly number[]) => all.toSorted((one, other) => one - other);
/** Without a word, all messages are found. */
const EVERYTHING = '';
const BEGINS = 'the index of the search is being built';
const ENDS = 'the index of the search is complete';

it('the first build goes from the newest texts back, and says how far it has come', async () => {
  const { index, begin, untilComplete, said } = newIndexer();
  await begin();
  await untilComplete();
  const last = await opened.store.lastMessageId();
  const since = (fromId: number) => Math.min(...TIMES.filter((_, place) => (ids[place] ?? 0) >= fromId));
  expect(index.noted).toEqual([
    { fromId: last + 1, since: null },
    { fromId: 2 * STEP, since: since(2 * STEP) },
    { fromId: STEP, since: since(STEP) },
    { fromId: 0, since: null },
  ]);
  const reached: number[] = [];
  for (const call of index.calls) {
    if (call.name === 'add') reached.push(...call.ids);
    if (call.name !== 'note' || reached.length === 0) continue;
    expect(ascending(reached)).toEqual(ids.filter((id) => id >= call.state.fromId));
  }
  expect(ascending(index.added)).toEqual(ids);
  for (const call of index.calls) if (call.name === 'add') expect(call.ids).toEqual(ascending(call.ids));
  expect(await index.found(roomIds, EVERYTHING)).toEqual(ids);
  await expect.poll(said, LONG).toEqual([BEGINS, ENDS]);
});

it('a build that is ended writes nothing more, and goes on where it was after a restart', async () => {
  const { dataDir, index, indexer, begin } = newIndexer();
  const { hold, isHeld, go } = newGate();
  index.before = (call) => (isOfLastStep(call) ? hold() : undefined);
  await begin();
  await isHeld;
  const ended = indexer.end();
  go();
  await ended;
  const written = index.calls.length;
  expect(await index.state()).toMatchObject({ fromId: STEP });
  await index.close();

  const next = newIndexer(dataDir);
  await next.begin();
  await next.untilComplete();
  expect(index.calls).toHaveLength(written);
  expect(next.index.noted).toEqual([{ fromId: 0, since: null }]);
  expect(ascending(next.index.added)).toEqual(ids.filter((id) => id < STEP));
  expect(await next.index.found(roomIds, EVERYTHING)).toEqual(ids);
  await next.indexer.end();
  await next.index.close();

  const last = newIndexer(dataDir);
  await last.begin();
  await last.indexer.end();
  expect([last.index.calls, last.said()]).toEqual([[], []]);
});

it('a build lets news have its turn after 2000 texts', async () => {
  const { index, indexer, begin, untilComplete } = newIndexer();
  const { hold, isHeld, go } = newGate();
  index.before = (call) => (isOfLastStep(call) ? hold() : undefined);
  await begin();
  await isHeld;
  const roomId = roomIds[2] ?? 0;
  const at = (await indexer.cursors.place(roomId))?.at ?? 0;
  const id = await post(roomId, 'quick news', BEGUN);
  ids.push(id);
  const consumed = indexer.consume({ roomId, at, stored: at });
  go();
  expect(await consumed).toEqual({ at: at + 1, stored: at + 1, head: at + 1 });
  await untilComplete();
  const news = index.calls.findIndex(({ name }) => name === 'writeAll');
  const before = index.calls.slice(0, news).flatMap((call) => (isOfLastStep(call) ? call : []));
  const texts = before.flatMap((call) => (call.name === 'add' ? call.ids : [])).length;
  expect(texts).toBeLessThan(2200);
  expect(await index.found(roomIds, 'quick')).toEqual([id]);
});

it('a build writes no earlier text over one that is edited meanwhile', async () => {
  const { index, indexer, begin, untilComplete } = newIndexer();
  const [roomId = 0] = roomIds;
  const [id = 0] = ids;
  const { hold, isHeld, go } = newGate();
  index.before = (call) => (call.name === 'add' && call.ids.includes(id) ? hold() : undefined);
  await begin();
  await isHeld;
  const at = (await indexer.cursors.place(roomId))?.at ?? 0;
  const change = { roomId, messageId: id, actorId: userId, now: BEGUN + 1 };
  await opened.store.editMessage({ ...change, content: 'revised', baseRevision: 0 });
  const consumed = indexer.consume({ roomId, at, stored: at });
  expect(await Promise.race([consumed, sleep(100, 'it waits')])).toBe('it waits');
  go();
  await consumed;
  await untilComplete();
  expect(await index.found(roomIds, 'revised')).toEqual([id]);
  expect(await index.found(roomIds, 'old')).not.toContain(id);
});

it('the news of rooms that is asked for at the same moment is written together', async () => {
  const { index, indexer, take } = newIndexer();
  await take();
  const places = await Promise.all(roomIds.map((roomId) => indexer.cursors.place(roomId)));
  for (const roomId of roomIds) ids.push(await post(roomId, 'together', BEGUN));
  await Promise.all(
    roomIds.map((roomId, place) => {
      const at = places[place]?.at ?? 0;
      return indexer.consume({ roomId, at, stored: at });
    }),
  );
  expect(index.calls).toEqual([{ name: 'writeAll', roomIds }]);
  expect(await index.found(roomIds, 'together')).toEqual(ids.slice(-3));
});

it('a build that fails is logged, and goes on where it was', async () => {
  const { index, begin, untilComplete, warned } = newIndexer();
  let failures = 0;
  index.before = (call) => {
    if (isOfLastStep(call) && failures++ === 0) throw new Error('the disk is full');
  };
  await begin();
  await untilComplete();
  expect(warned()).toEqual(['the index of the search could not be built on; it is tried again']);
  expect(index.noted.map(({ fromId }) => fromId).slice(1)).toEqual([2 * STEP, STEP, 0]);
  expect(ascending(index.added)).toEqual(ids);
});

it('an index that is emptied is filled anew when it is looked after, whether or not its build was over', async () => {
  const { index, indexer, begin, untilComplete, warned } = newIndexer();
  let isFirst = true;
  index.before = async (call) => {
    if (!isFirst || !isOfLastStep(call)) return;
    isFirst = false;
    await index.clear();
  };
  await begin();
  await expect.poll(() => index.calls.some(isOfLastStep), LONG).toBe(true);
  await indexer.tend();
  for (const isAgain of [false, true]) {
    if (isAgain) {
      await index.clear();
      expect(await index.found(roomIds, EVERYTHING)).toEqual([]);
      await indexer.tend();
    }
    await untilComplete();
    expect(await index.found(roomIds, EVERYTHING)).toEqual(ids);
  }
  expect(warned()).toEqual([]);
});

it('a rebuild fills the index anew, and with no lease leaves that to the process that has it', async () => {
  const { index, indexer, begin, untilComplete } = newIndexer();
  await begin();
  await untilComplete();
  index.calls.length = 0;
  await indexer.rebuild();
  await untilComplete();
  expect(ascending(index.added)).toEqual(ids);
  await indexer.end();
  index.calls.length = 0;
  await indexer.rebuild();
  expect(await index.state()).toBe(null);
  expect([index.calls, await index.rooms({ after: 0, limit: 9 })]).toEqual([[], []]);
});

it('rooms that were deleted for good leave the index, also when they are more than one read lists', async () => {
  const { index, indexer, take } = newIndexer();
  await take();
  const gone = Array.from({ length: 1100 }, (_, place) => 1_000_000 + place);
  const moveOf = (roomId: number) => ({ roomId, from: 0, to: 1 });
  const indexed = { texts: ['gone'], marks: [] };
  await index.writeAll(
    gone.map((roomId) => ({ move: moveOf(roomId), entries: [{ messageId: roomId, indexed }] })),
  );
  await indexer.tend();
  expect(await index.rooms({ after: 0, limit: 9 })).toEqual(roomIds);
});

it('an index that cannot be opened gives nobody the lease, and is opened by a later try', async () => {
  const { index, indexer, take, begin, untilComplete } = newIndexer();
  index.openFails = 2;
  await expect(take()).rejects.toThrow('the disk is full');
  await indexer.tend();
  await expect(take()).rejects.toThrow('the disk is full');
  await begin();
  await untilComplete();
});

it('where nothing is posted, nothing is asked of the index, so that its thread ends', async () => {
  const { dataDir, index, indexer, begin, untilComplete } = newIndexer();
  await begin();
  await untilComplete();
  await indexer.end();
  await index.close();
  const quiet = newIndexer(dataDir);
  const { store } = opened;
  const consumer = new LogConsumer(quiet.indexer, {
    ...{ store, bus: createMemoryBus(), log: quiet.log, now: Date.now, isShared: false },
    cursors: quiet.indexer.cursors,
  });
  open.push(() => consumer.stop());
  const isOpen = () => existsSync(join(dataDir, 'search.db-wal'));
  await expect.poll(isOpen, LONG).toBe(true);
  await expect.poll(isOpen, LONG).toBe(false);
  expect([consumer.backlog.hasLease, quiet.index.calls]).toEqual([true, []]);
});
