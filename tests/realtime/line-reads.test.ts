/** How often the database is read for a line: thousands come back at once after a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../server/storage/store.ts';
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

test('a line that starts and opens a room before its list is there reads its log, its list, and its right, each once', async () => {
  const { store, roomId } = stage;
  const first = await stage.connect();
  // The room is in use, so its channel is there.
  first.line.open.open(roomId, undefined);
  await expect.poll(() => first.frames.at(-1)?.type, { timeout: 20_000 }).toBe('opened');
  await stage.say('one');
  const bo = await stage.createUser('bo');
  const readsOf = countReads(store);
  const { frames, line } = await stage.connect(bo, null);
  line.open.open(roomId, { since: 0, epoch: undefined });
  await expect.poll(() => frames.some(({ type }) => type === 'sync'), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => frames.some(({ type }) => type === 'rooms'), { timeout: 20_000 }).toBe(true);
  expect(readsOf()).toEqual(['entries', 'standing', 'userLog']);
});
