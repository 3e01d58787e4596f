/** How often the database is read for a line: thousands come back at once after a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../server/data/storage/store.ts';
import { announce } from '../../server/features/rooms/announce.ts';
import { LineStage } from './line-stage.ts';

let stage: LineStage;

beforeEach(async () => {
  stage = await LineStage.start();
});
afterEach(() => stage.stop());

const READS = ['userLog', 'entries', 'standing', 'findRoom', 'messagesAfter'] as const;

/** Counts the reads from now on. */
function countReads(store: Store): () => string[] {
  const reads: string[] = [];
  for (const name of READS) {
    const read = store[name] as (query: unknown) => Promise<unknown>;
    Object.assign(store, {
      [name]: (query: unknown) => {
        reads.push(name);
        return read.call(store, query);
      },
    });
  }
  return () => reads.toSorted();
}

/** A line of bo's that starts and opens the room at once, and gets everything; the names of the reads that it took. */
async function readsOfReturn(isMember: boolean): Promise<string[]> {
  const { store, roomId } = stage;
  const first = await stage.connect();
  // The room is in use, so its channel is there.
  first.line.open.open(roomId, undefined);
  await expect.poll(() => first.frames.at(-1)?.type, { timeout: 20_000 }).toBe('opened');
  await stage.say('one');
  const bo = await stage.createUser('bo');
  if (isMember) announce(stage.bus, await store.joinRoom({ roomId, userId: bo.userId, now: 0 }));
  const readsOf = countReads(store);
  const { frames, line } = await stage.connect(bo, null);
  line.open.open(roomId, { since: 0, epoch: undefined });
  await expect.poll(() => frames.some(({ type }) => type === 'sync'), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => frames.some(({ type }) => type === 'rooms'), { timeout: 20_000 }).toBe(true);
  const role = isMember ? 'member' : undefined;
  expect(frames.find(({ type }) => type === 'opened')).toMatchObject({ resumed: true });
  expect(frames.flatMap((frame) => (frame.type === 'opened' ? [frame.room.me_role] : []))).toEqual([role]);
  return readsOf();
}

test('a line that starts and opens a room of its list at once reads its log and its list, each once', async () => {
  expect(await readsOfReturn(true)).toEqual(['entries', 'userLog']);
});

test('a line that starts and opens a public room of others at once also reads its right, once', async () => {
  expect(await readsOfReturn(false)).toEqual(['entries', 'standing', 'userLog']);
});
