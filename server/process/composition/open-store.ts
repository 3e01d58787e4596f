/** The adapter of the store. PostgreSQL's and its driver are loaded only where they are used. */
import { hostname } from 'node:os';
import { openSqliteStore } from '../../data/storage/sqlite/sqlite-store.ts';
import { idOfSecret } from '../../features/identity/secret.ts';
import { readBuildInfo } from '../../platform/build-info.ts';
import type { Config } from '../../platform/config.ts';
import type { DatabaseAddress } from '../../platform/database-address.ts';
import { type Logger, throttled } from '../../platform/log.ts';

/** `onFatal` is called when the store cannot go on. `ofDatabase`: what PostgreSQL alone has. */
export async function openStore(config: Config, log: Logger, onFatal: (error: Error) => void) {
  const { database, dataDir } = config;
  if (database !== undefined) return await openPostgres(database, config, log, onFatal);
  const opened = await openSqliteStore({
    dataDir,
    onFatal,
    onWarning: (message) => log.warn(message),
    onProgress: (message) => log.info(message),
  });
  return { ...opened, now: Date.now, ofDatabase: undefined };
}

async function openPostgres(
  address: DatabaseAddress,
  { redisUrl, dataDir, jwtSecret = '' }: Config,
  log: Logger,
  onFatal: (error: Error) => void,
) {
  const { openPostgresStore } = await import('../../data/storage/postgres/postgres-store.ts');
  const { primariesLog } = await import('../../data/storage/postgres/primaries-log.ts');
  const { secretsLog } = await import('../../data/storage/postgres/secrets-log.ts');
  // On PostgreSQL it is always set (config.ts).
  const secretId = idOfSecret(jwtSecret);
  const { version, gitCommit } = readBuildInfo();
  const { store, epoch, now, ...ofDatabase } = await openPostgresStore({
    address,
    dataDir,
    isShared: redisUrl !== undefined,
    onFatal,
    server: {
      name: {
        process: `${hostname()} (${process.pid})`,
        build: `${version} ${gitCommit.slice(0, 7)}`,
        secretId,
      },
      onProcesses: secretsLog(log, secretId),
    },
    onPrimaries: primariesLog(log),
    onForgetful: throttled((error, count) =>
      log.warn({ err: error, count, dataDir }, 'the data folder cannot remember the timeline of PostgreSQL'),
    ),
  });
  return { store, epoch, now, ofDatabase };
}
