/** A database into which a copy (storage/copy/) or an import (export/) is still running. No server may start on it. */
import { WrongDatabaseError } from '../../../platform/unusable-database.ts';
import { sql } from '../queries/sql.ts';
import type { Connection } from './connection.ts';

/** In `meta` until the copy is complete and verified: the epoch of the database that is copied. */
export const COPYING = 'copying';

/** The same mark during an import, which has no epoch yet. */
export const IMPORTING = 'an import';

/** Rejects with WrongDatabaseError. */
export async function refuseUnfinishedCopy(connection: Connection): Promise<void> {
  const [mark] = await connection.query<{ value: string }>(
    sql`SELECT value FROM meta WHERE key = ${COPYING}`,
    4000,
  );
  if (mark?.value === IMPORTING)
    throw new WrongDatabaseError(
      'The import into this database is not complete. Run the same `roomful import` again, which begins anew, and ' +
        'start the server when it is done.',
    );
  if (mark !== undefined)
    throw new WrongDatabaseError(
      'The copy into this database is not complete. Run the same `roomful copy` again, which goes on where it ' +
        'stopped, and start the server when it is done.',
    );
}
