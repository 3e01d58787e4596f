/**
 * When the latest backup of the embedded database was made, RFC 3339. `roomful backup` notes it, and the metrics and
 * the doctor tell it. It stands in a file of the data folder, as the command runs beside the server that has the
 * database for itself. On PostgreSQL it stands in the database (storage/queries/backup-time.ts).
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'last-backup';

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
