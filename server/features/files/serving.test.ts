import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Blobs } from '../../data/blobs/blobs.ts';
import { Places } from '../../data/blobs/places.ts';
import type { FileRow } from '../../data/storage/store.ts';
import { Serving } from './serving.ts';

const MIB = 1024 * 1024;
const READER = { userId: 1, sessionId: 2 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A file whose reader takes nothing. */
async function send(bytes: number): Promise<Readable> {
  const file = { key: 'a', place: 'disk' } as FileRow;
  const read = async () => Readable.from([new Uint8Array(1)]);
  const places = new Places({ place: 'disk', read } as unknown as Blobs);
  const store = { servedFile: async () => file };
  const serving = new Serving({ store, places, hasEnded: () => false, now: Date.now });
  return await serving.send(file, { from: 0, to: bytes }, READER);
}

test.each([
  ['95 seconds for one MiB', MIB, 30_000 + MIB / 16],
  ['110 minutes for 100 MiB', 100 * MIB, 30_000 + (100 * MIB) / 16],
])('a reader who takes nothing has %s', async (_, bytes, patience) => {
  const stream = await send(bytes);
  await vi.advanceTimersByTimeAsync(patience - 1);
  expect(stream.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.destroyed).toBe(true);
});
