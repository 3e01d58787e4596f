/** The database of a server, whichever it is, for what no request can do. */
import { join } from 'node:path';
import { Client } from 'pg';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';

/** A server, as `ServerProcess` describes it. */
export interface Stored {
  readonly dataDir: string;
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
}

/** Runs a statement whose values are marked by `?`, and returns its rows. */
export async function inDatabaseOf(
  { dataDir, databaseUrl }: Stored,
  statement: string,
  ...values: (string | number)[]
): Promise<Record<string, unknown>[]> {
  if (databaseUrl !== undefined) return await onPostgres(databaseUrl, statement, values);
  const sqlite = openForWriting(join(dataDir, 'data', 'roomful.db'));
  try {
    const prepared = sqlite.prepare<(string | number)[], Record<string, unknown>>(statement);
    if (statement.startsWith('SELECT')) return prepared.all(...values);
    prepared.run(...values);
    return [];
  } finally {
    sqlite.close();
  }
}

async function onPostgres(url: string, statement: string, values: (string | number)[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let position = 0;
    return (
      await client.query(
        statement.replaceAll('?', () => `$${++position}`),
        values,
      )
    ).rows;
  } finally {
    await client.end();
  }
}
