/** The store of the settings, for commands that need no server. */
import { existsSync } from 'node:fs';
import { databaseFile } from '../../data/storage/sqlite/data-dir.ts';
import type { Store } from '../../data/storage/store.ts';
import { type Config, readConfig, readEnvironment } from '../../platform/config.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { say } from './report.ts';

/** Opens the store of the environment's settings, hands it on, and closes it. Rejects while a server uses it. */
export async function withStore<Result>(
  use: (store: Store, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(readEnvironment());
  const store = await openStore(config);
  try {
    return await use(store, config);
  } finally {
    await store.close();
  }
}

async function openStore({ database, redisUrl, dataDir }: Config): Promise<Store> {
  if (database !== undefined) {
    const { openPostgresStore } = await import('../../data/storage/postgres/postgres-store.ts');
    return (
      await openPostgresStore({
        address: database,
        dataDir,
        isShared: redisUrl !== undefined,
        takeWithinMs: 0,
        onFatal: fail,
      })
    ).store;
  }
  if (!existsSync(databaseFile(dataDir)))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  const { openSqliteStore } = await import('../../data/storage/sqlite/sqlite-store.ts');
  return (await openSqliteStore({ dataDir, onFatal: fail, onWarning: say })).store;
}

function fail(error: Error): never {
  say(error.message);
  process.exit(1);
}
