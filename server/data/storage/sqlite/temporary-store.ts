/** A store for the tests of a file, in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

export interface TemporaryStore {
  readonly store: Store;
  readonly dataDir: string;
  /** Closes the store and deletes its folder. */
  dispose(): Promise<void>;
}

/** A fatal error of the store throws in the process of the test. */
export async function openTemporaryStore(): Promise<TemporaryStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-store-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  return {
    store,
    dataDir,
    async dispose() {
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
