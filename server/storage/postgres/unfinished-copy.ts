/** A database into which a copy is still running (storage/copy/). No server may start on it. */
import { sql } from '../queries/sql.ts';
import { WrongDatabaseError } from '../unusable-database.ts';
import type { Connection } from './connection.ts';

/** In `meta` until the copy is complete and verified: the epoch of the database that is copied. */
export const COPYING = 'copying';

/** Rejects with WrongDatabaseError. */
export async function refuseUnfinishedCopy(connection: Connection): Promise<void> {
  const [mark] = await connection.query(sql`SELECT 1 FROM meta WHERE key = ${COPYING}`, 4000);
  if (mark !== undefined)
    throw new WrongDatabaseError(
      'The copy into this database is not complete. Run the same `roomful copy` again, which goes on where it ' +
        'stopped, and start the server when it is done.',
    );
}
