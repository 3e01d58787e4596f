/** The embedded store: SQLite in two worker threads, one that writes and one that reads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../../protocol/errors.ts';
import { PURGES, READ_NAMES, WRITE_NAMES } from '../queries/queries.ts';
import type { Promised } from '../store/operation.ts';
import type { Reads, Store, Writes } from '../store.ts';
import { createDataDir } from './data-dir.ts';
import { Health } from './health.ts';
import { ReaderHandle } from './reader-handle.ts';
import { createSearches } from './searches.ts';
import { writeCommand } from './worker-messages.ts';
import { WriterHandle } from './writer-handle.ts';

/** One purge deletes this number of rows of each kind at a time, and then lets others write. */
const PURGE_ROWS = 250;
const PURGE_PAUSE_MS = 10;

export interface SqliteStoreOptions {
  dataDir: string;
  /** A commit's fate is unknown, or a worker died: the process must end. */
  onFatal(error: Error): void;
  /** Something that an operator should know; one sentence. */
  onWarning?: (message: string) => void;
  /** What the database has done by itself; one sentence. */
  onProgress?: (message: string) => void;
}

/**
 * Opens the database in `dataDir`, makes it if there is none, and migrates it. Rejects with a sentence if it cannot.
 */
export async function openSqliteStore({
  dataDir,
  onFatal,
  onWarning = () => undefined,
  onProgress = () => undefined,
}: SqliteStoreOptions): Promise<{ store: Store; epoch: string }> {
  createDataDir(dataDir);
  const health = new Health(onWarning);
  const { writer, epoch } = await WriterHandle.start(dataDir, { health, onWarning, onProgress, onFatal });
  try {
    const reader = await ReaderHandle.start(dataDir, health, onFatal);
    return { store: createStore(writer, reader, health), epoch };
  } catch (error) {
    await writer.end();
    throw error;
  }
}

function createStore(writer: WriterHandle, reader: ReaderHandle, health: Health): Store {
  const operations = createOperations(writer, reader);
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    // The writer closes last: the last connection empties the log into the database, and the reader may not write.
    await Promise.all([writer.finish(), reader.end()]);
    await writer.end();
  }
  return {
    ...operations,
    ...createSearches(reader, operations),
    async purge({ now }) {
      for (const name of PURGES)
        while (await writer.run({ name, args: { now, limit: PURGE_ROWS } })) await sleep(PURGE_PAUSE_MS);
    },
    async check() {
      const complaint = health.complaint();
      if (complaint !== undefined)
        throw new AppError('service_unavailable', { cause: complaint, retryAfterMs: 1000 });
      await writer.run({ name: 'touch', args: Date.now() });
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Sends each operation of the store to the thread that runs it. TypeScript cannot follow that names pair with types.
 */
function createOperations(writer: WriterHandle, reader: ReaderHandle): Promised<Writes> & Promised<Reads> {
  const methods = [
    ...WRITE_NAMES.map((name) => [name, (args: never) => writer.run(writeCommand(name, args))]),
    ...READ_NAMES.map((name) => [name, (args: never) => reader.run(name, args)]),
  ];
  return Object.fromEntries(methods);
}
