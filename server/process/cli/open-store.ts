/** The store of the settings, for commands that need no server. */
import { existsSync } from 'node:fs';
import type { PostgresOpening } from '../../data/storage/postgres/postgres-store.ts';
import { databaseFile } from '../../data/storage/sqlite/data-dir.ts';
import type { Store } from '../../data/storage/store.ts';
import { type Config, readConfig, readEnvironment } from '../../platform/config.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { say } from './report.ts';

/** `ofDatabase`: what PostgreSQL alone has. */
export interface Opened {
  store: Store;
  epoch: string;
  ofDatabase: Pick<PostgresOpening, 'steps'> | undefined;
}

/** Opens the store of the environment's settings, hands it on, and closes it. Rejects while a server uses it. */
export async function withStore<Result>(
  use: (opened: Opened, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(readEnvironment());
  const opened = await openStore(config);
  try {
    return await use(opened, config);
  } finally {
    await opened.store.close();
  }
}

async function openStore({ database, redisUrl, dataDir }: Config): Promise<Opened> {
  if (database !== undefined) {
    const { openPostgresStore } = await import('../../data/storage/postgres/postgres-store.ts');
    const { store, epoch, steps } = await openPostgresStore({
      address: database,
      dataDir,
      isShared: redisUrl !== undefined,
      takeWithinMs: 0,
      onFatal: fail,
    });
    return { store, epoch, ofDatabase: { steps } };
  }
  if (!existsSync(databaseFile(dataDir)))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  const { openSqliteStore } = await import('../../data/storage/sqlite/sqlite-store.ts');
  return { ...(await openSqliteStore({ dataDir, onFatal: fail, onWarning: say })), ofDatabase: undefined };
}

function fail(error: Error): never {
  say(error.message);
  process.exit(1);
}
