/** The contract of the index on SQLite, and what happens to its file and its thread. */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/sqlite-store.ts';
import type { Store } from '../../storage/store.ts';
import { describeIndex, LANGUAGES } from '../search-index.contract.ts';
import { SqliteSearch } from './sqlite-search.ts';

async function openBoth() {
  const dataDir = mkdtempSync(join(tmpdir(), 'roomful-search-'));
  const options = { dataDir, onFatal, onWarning: () => undefined };
  const { store, epoch } = await openSqliteStore(options);
  const told: string[] = [];
  const openIndex = (languages = LANGUAGES) =>
    new SqliteSearch({ dataDir, epoch, languages, store, onDamage: (error) => void told.push(error) });
  return { dataDir, store, told, openIndex };
}

describeIndex('SQLite', async () => {
  const { dataDir, store, openIndex } = await openBoth();
  let index = openIndex();
  return {
    store,
    get index() {
      return index;
    },
    async reopen(languages) {
      await index.close();
      index = openIndex(languages);
    },
    async dispose() {
      await index.close();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
});

describe('the file of the index', () => {
  let store: Store;
  let dataDir: string;
  let told: string[];
  let openIndex: () => SqliteSearch;
  beforeAll(async () => {
    ({ store, dataDir, told, openIndex } = await openBoth());
  });
  afterAll(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  const file = () => join(dataDir, 'search.db');

  test('it is there once the index is needed', async () => {
    const index = openIndex();
    expect(existsSync(file())).toBe(false);
    await index.open('test');
    expect(existsSync(file())).toBe(true);
    await index.close();
  });

  test('no call starts its thread after it was closed', async () => {
    const index = openIndex();
    await index.open('test');
    const [late] = await Promise.allSettled([index.state(), index.close()]);
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
  });

  test('one that is no database is told once, deleted, and made anew', async () => {
    writeFileSync(file(), 'no database at all, but long enough to be one'.repeat(200));
    const index = openIndex();
    await expect(index.open('test')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await index.open('test')).toBe(null);
    expect(told).toHaveLength(1);
    expect(await index.write({ roomId: 1, from: 0, to: 1 }, [])).toBe(true);
    await index.close();
    await expect(index.state()).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('one whose pages were overwritten is deleted by the first call that finds it', async () => {
    const index = openIndex();
    await index.open('test');
    const words = Array.from({ length: 3000 }, (_, place) => `word${place}`).join(' ');
    for (let id = 1; id <= 20; id++)
      await index.add([{ roomId: 1, messageId: id, indexed: { texts: [`${id} ${words}`], marks: [] } }]);
    await index.close();
    const before = told.length;
    const { size } = statSync(file());
    const handle = openSync(file(), 'r+');
    writeSync(handle, Buffer.alloc(size - 8192, 7), 0, size - 8192, 8192);
    closeSync(handle);
    const damaged = openIndex();
    const proposal = {
      conditions: [],
      roomIds: [1],
      order: 'newest' as const,
      beyondId: 100,
      limit: 30,
      withinMs: 1000,
    };
    await expect(damaged.open('test').then(() => damaged.propose(proposal))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await damaged.open('test')).toBe(null);
    expect(told).toHaveLength(before + 1);
    await damaged.close();
  });
});

function onFatal(error: Error): never {
  throw error;
}
