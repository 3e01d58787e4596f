import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStore } from '../store.contract.ts';
import { openSqliteStore } from './sqlite-store.ts';

function onFatal(error: Error): void {
  throw error;
}

describeStore('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-store-'));
  let { store } = await openSqliteStore({ dataDir, onFatal });
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      ({ store } = await openSqliteStore({ dataDir, onFatal }));
    },
    async dispose() {
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
});
