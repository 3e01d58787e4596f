/** When the latest backup of PostgreSQL was made, RFC 3339, in `meta`. */
import { type Sql, sql } from './sql.ts';
import type { Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';

const KEY = 'last_backup';

/** Its row has the value. */
export const SELECT_BACKUP_TIME: Sql = sql`SELECT value FROM meta WHERE key = ${KEY}`;

export function noteBackupTime(madeAt: string): Steps<void> {
  return writeMeta(KEY, madeAt);
}
