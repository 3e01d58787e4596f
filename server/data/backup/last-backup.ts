/**
 * When the latest backup was made, RFC 3339. `roomful backup` notes it, and the metrics and the doctor tell it. Of the
 * embedded database it stands in a file of the data folder, as the command runs beside the server that has the database
 * for itself; of PostgreSQL in `meta`.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sql, sql } from '../storage/queries/sql.ts';
import type { Steps } from '../storage/queries/steps.ts';
import { writeMeta } from '../storage/queries/upkeep.ts';

const FILE = 'last-backup';
const KEY = 'last_backup';

/** Undefined: there was none. */
export function readBackupTime(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The backup is there, whether this can be written or not: a failure is a sentence. */
export function writeBackupTime(dataDir: string, madeAt: string): string | undefined {
  try {
    const file = join(dataDir, FILE);
    writeFileSync(file, `${madeAt}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return undefined;
  } catch (error) {
    return `${FILE} could not be written: ${error instanceof Error ? error.message : error}.`;
  }
}

/** Of PostgreSQL; its row has the value. */
export const SELECT_BACKUP_TIME: Sql = sql`SELECT value FROM meta WHERE key = ${KEY}`;

export function noteBackupTime(madeAt: string): Steps<void> {
  return writeMeta(KEY, madeAt);
}
