import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newUserAndRoom } from '../contract/subject.ts';
import { openForReading } from './database.ts';
import { openSqliteStore } from './sqlite-store.ts';

const MIB = 1024 * 1024;

/** Appends with `inFlight` messages at a time while `disturb` runs; returns the largest size of the log, in bytes. */
async function largestLog(
  load: { appends: number; inFlight: number; length: number },
  disturb: (dataDir: string) => () => void = () => () => undefined,
): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-log-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  const { user, room } = await newUserAndRoom(store);
  const stop = disturb(dataDir);
  let [sent, largest] = [0, 0];
  async function write(): Promise<void> {
    while (sent++ < load.appends) {
      const content = `${sent} `.padEnd(load.length, 'x');
      await store.append({ roomId: room.id, userId: user.id, cid: `cid ${sent}`, content, now: sent });
      largest = Math.max(largest, statSync(join(dataDir, 'roomful.db-wal')).size);
    }
  }
  await Promise.all(Array.from({ length: load.inFlight }, write));
  stop();
  await store.close();
  await rm(dataDir, { recursive: true });
  return largest;
}

/** Two readers take turns, so that at every moment one of them holds an older snapshot. */
function readWithoutPause(dataDir: string): () => void {
  const open = () => openForReading(join(dataDir, 'roomful.db'));
  const readers = [open(), open()];
  const swap = (): void => {
    const [current, next] = readers;
    next?.exec('BEGIN; SELECT count(*) FROM rooms');
    if (current?.inTransaction) current.exec('COMMIT');
    readers.reverse();
  };
  swap();
  const timer = setInterval(swap, 5);
  return () => {
    clearInterval(timer);
    for (const reader of readers) reader.close();
  };
}

describe('the log does not grow without bound', () => {
  it('under continuous load a checkpoint empties it every few MiB', async () => {
    expect(await largestLog({ appends: 20_000, inFlight: 200, length: 1000 })).toBeLessThan(12 * MIB);
  });

  it('neither does it grow when reads never pause', async () => {
    const load = { appends: 6000, inFlight: 50, length: 16_000 };
    expect(await largestLog(load, readWithoutPause)).toBeLessThan(48 * MIB);
  });
});
