/**
 * Writes the embedded database anew without what is free in it, while the server is stopped. From then on the running
 * server gives free space back by itself (data/storage/sqlite/compactor.ts).
 */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { databaseFile } from '../storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting } from '../storage/sqlite/database.ts';
import { codeOf, type Sqlite } from '../storage/sqlite/driver/driver.ts';
import { lockDataDir } from '../storage/sqlite/lock.ts';
import { refuseMoved, refuseNewer } from '../storage/sqlite/migrate.ts';

/** Bytes before and after. Throws `UnusableDatabaseError` with a sentence. A kill at any moment changes nothing. */
export function compact(dataDir: string): { before: number; after: number } {
  const file = databaseFile(dataDir);
  if (!existsSync(file))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  const lock = lockDataDir(dataDir);
  try {
    const before = statSync(file).size;
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < 2 * before)
      throw new UnusableDatabaseError(
        `Compacting needs ${Math.ceil((2 * before) / 2 ** 20)} MiB free on the disk of ${dataDir}, twice the database.`,
      );
    const sqlite = openForWriting(file);
    try {
      refuseNewer(sqlite);
      refuseMoved(sqlite, file);
      makeDurable(sqlite);
      rewrite(sqlite, dataDir);
    } finally {
      sqlite.close();
    }
    return { before, after: statSync(file).size };
  } finally {
    lock.close();
  }
}

function rewrite(sqlite: Sqlite, dataDir: string): void {
  try {
    sqlite.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_FULL') throw error;
    throw new UnusableDatabaseError(
      `The disk of ${dataDir} became full meanwhile. The database is as it was. Make space, and start again.`,
    );
  }
}
