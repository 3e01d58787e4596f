/** Rows that cannot be worked on, as after damage or a fault of ours. The rows are real, and so are the failures. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databaseFile } from '../../data/storage/sqlite/data-dir.ts';
import { openForWriting } from '../../data/storage/sqlite/database.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { NOTIFIER } from './notifier.ts';
import { NotifierWorld } from './testing/world.ts';

const LONG = { timeout: 20_000 };

let opened: TemporaryStore;
let world: NotifierWorld;
beforeEach(async () => {
  opened = await openTemporaryStore();
  world = new NotifierWorld(opened.store);
});
afterEach(async () => {
  await world.stop();
  await opened.dispose();
});

/** Another program breaks what the row has beside its text, so that nothing can read it. Returns what mends it. */
function breakMessage(messageId: number): () => void {
  const sqlite = openForWriting(databaseFile(opened.dataDir));
  const set = (extra: string) =>
    sqlite.prepare('UPDATE messages SET extra = ? WHERE id = ?').run(extra, messageId);
  const { extra } = sqlite
    .prepare<[number], { extra: string }>('SELECT extra FROM messages WHERE id = ?')
    .get(messageId) ?? { extra: '' };
  set(`${extra}}`);
  return () => {
    set(extra);
    sqlite.close();
  };
}

/** Rooms of Ann's, with Bo in all of them. */
async function furnished(rooms: number) {
  const { ann, bo } = await world.newUsers('ann', 'bo');
  const roomIds = [];
  for (let place = 0; place < rooms; place++) roomIds.push(await world.newRoom(ann, bo));
  return { ann, bo, roomIds, toBo: `@"${bo.username}"` };
}

it('a room whose message cannot be worked on keeps nothing from other rooms, and goes on once it is mended', async () => {
  // More rooms than it takes to believe that the database is away.
  const { ann, bo, roomIds, toBo } = await furnished(6);
  const healthy = roomIds.pop() ?? 0;
  await world.consumer.stop();
  const mends = [];
  for (const roomId of roomIds) {
    const messageId = await world.post(roomId, ann, `one ${toBo}`);
    await world.post(roomId, ann, `two ${toBo}`);
    mends.push(breakMessage(messageId));
  }
  await world.restart();
  for (let round = 0; round < 3; round++) {
    await world.post(healthy, ann, `fine ${round} ${toBo}`);
    await world.caughtUp(healthy);
  }
  expect(await world.listed(bo)).toEqual([2, 1, 0].map((round) => `mention: fine ${round} ${toBo}`));
  // Each room once, however often it was tried.
  const cannot = () => world.logged.filter(({ roomId }) => roomId !== undefined);
  await expect.poll(() => cannot().length, LONG).toBe(roomIds.length);
  expect(cannot()).toEqual(
    expect.arrayContaining(
      roomIds.map((roomId) =>
        expect.objectContaining({ consumer: NOTIFIER, roomId, seq: 1, err: expect.anything() }),
      ),
    ),
  );
  for (const mend of mends) mend();
  for (const roomId of roomIds) await world.caughtUp(roomId);
  expect(
    (await world.listed(bo)).filter((entry) => entry.includes('one') || entry.includes('two')),
  ).toHaveLength(10);
  expect(cannot()).toHaveLength(roomIds.length);
}, 60_000);

it('a notification that cannot be made keeps nothing from others, nor from the same person, and is tried again', async () => {
  const { ann, bo, roomIds, toBo } = await furnished(1);
  const [roomId = 0] = roomIds;
  world.online.add(bo.id);
  const broken = await world.post(roomId, ann, `one ${toBo}`);
  const other = await world.post(roomId, ann, `two ${toBo}`);
  await world.caughtUp(roomId);
  const mend = breakMessage(broken);
  world.online.delete(bo.id);
  world.now += 60_000;
  world.waiting.expect(0);
  await expect.poll(() => world.pushed.map(({ message_id: id }) => id), LONG).toEqual([other]);
  expect(world.logged).toMatchObject([{ roomId, messageId: broken, count: 1 }]);
  mend();
  await expect.poll(() => world.why(roomId, broken, bo), LONG).toBe('mention waited');
  world.now += 60_000;
  world.waiting.expect(0);
  await expect.poll(() => world.why(roomId, broken, bo), LONG).toBe('mention pushed');
});
