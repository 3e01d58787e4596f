/** The name of a database, in `meta`: what its processes share over Redis has it. */
import { randomBytes } from 'node:crypto';
import { sql } from '../queries/sql.ts';
import { first, run } from '../queries/steps.ts';
import type { Connection } from './connection.ts';
import { runSteps } from './transactions.ts';

/** The installation's name. Of any number of processes that start at once, one gives it. */
export async function installationOf(connection: Connection): Promise<string> {
  await runSteps(
    connection,
    run(
      sql`INSERT INTO meta (key, value) VALUES ('installation', ${newName()}) ON CONFLICT (key) DO NOTHING`,
    ),
  );
  return await nameIn(connection);
}

/** In place of `from`. Of any number of processes one gives the new name, with which all resolve. */
export async function renameInstallation(connection: Connection, from: string): Promise<string> {
  await runSteps(
    connection,
    run(sql`UPDATE meta SET value = ${newName()} WHERE key = 'installation' AND value = ${from}`),
  );
  return await nameIn(connection);
}

async function nameIn(connection: Connection): Promise<string> {
  const found = await runSteps(
    connection,
    first<{ value: string }>(sql`SELECT value FROM meta WHERE key = 'installation'`),
  );
  if (!found) throw new Error('the database has no name');
  return found.value;
}

function newName(): string {
  return randomBytes(9).toString('base64url');
}
