/** Brings the database to this code's schema, and refuses one that cannot keep what Roomful promises. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseAddress, describeAddress } from '../../../platform/database-address.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../../../platform/unusable-database.ts';
import type { SharedMigration } from '../migrations/migration.ts';
import { SHARED_MIGRATIONS } from '../migrations/migrations.ts';
import { APPEND_V1 } from '../migrations/postgres-append.ts';
import { POSTGRES_SCHEMA } from '../migrations/postgres-schema.ts';
import { oldForms, renewNameForms } from '../queries/name-forms.ts';
import { type Sql, sql } from '../queries/sql.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './failures.ts';
import { write } from './transactions.ts';

const OLDEST_SERVER = 150_000;
const MIGRATION_MS = 600_000;
const STATEMENT_MS = 4000;
const PAUSE_MS = 100;
/** The version of the schema in postgres-schema.ts. */
const FIRST_VERSION = 6;
/** Names whose forms are made anew in one transaction. */
const NAMES_AT_ONCE = 200;
const LOCK_TIMEOUT = '55P03';
/** The advisory lock of a migration: one process at a time. */
export const MIGRATION_LOCK = 5;

interface Settings {
  version: number;
  encoding: string;
  fsync: string;
  fullPageWrites: string;
}

/** Rejects with WrongDatabaseError, whose message says what to do. */
export async function refuseUnsafe(connection: Connection, address: DatabaseAddress): Promise<void> {
  const [settings] = await connection.query<Settings>(
    sql`SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites"`,
    STATEMENT_MS,
  );
  if (!settings) throw new Error('the server returned no settings');
  const where = describeAddress(address);
  if (settings.version < OLDEST_SERVER)
    throw new WrongDatabaseError(
      `PostgreSQL at ${where} is version ${Math.floor(settings.version / 10_000)}; Roomful needs 15 or newer.`,
    );
  if (settings.encoding !== 'UTF8')
    throw new WrongDatabaseError(
      `The database at ${where} has the encoding ${settings.encoding}. Create it anew with ENCODING 'UTF8'.`,
    );
  for (const [name, value] of [
    ['fsync', settings.fsync],
    ['full_page_writes', settings.fullPageWrites],
  ])
    if (value !== 'on')
      throw new WrongDatabaseError(
        `PostgreSQL at ${where} runs with ${name}=${value}, which loses messages in a crash. Set ${name}=on.`,
      );
}

/**
 * Makes the tables that are missing, in one transaction. Rejects with WrongDatabaseError when the database is too new
 * for this code: a restart would not help. A newer one on which this code may run stays as it is.
 */
export async function migrate(connection: Connection, migrations = SHARED_MIGRATIONS): Promise<void> {
  await takeLock(connection);
  try {
    const deadline = performance.now() + MIGRATION_MS;
    while (!(await tryToMigrate(connection, migrations))) {
      if (performance.now() > deadline)
        throw new UnusableDatabaseError('The tables could not be locked for 10 minutes. Try again later.');
      await sleep(PAUSE_MS);
    }
    while (await renewSome(connection));
  } finally {
    if (!connection.isLost) await run(connection, sql`SELECT pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`);
  }
}

/** Makes the forms of some names anew; true when there may be more. Others rename and register meanwhile. */
function renewSome(connection: Connection): Promise<boolean> {
  const limit = NAMES_AT_ONCE;
  const locks = (['rooms', 'users'] as const).map(
    (table) => sql`SELECT 1 ${oldForms(table, limit)} FOR NO KEY UPDATE`,
  );
  return write(connection, locks, () => renewNameForms({ limit }));
}

/** False when a table was locked for too long: others work on, and their locks come before ours. */
async function tryToMigrate(
  connection: Connection,
  migrations: readonly SharedMigration[],
): Promise<boolean> {
  await run(connection, sql`BEGIN`);
  try {
    await run(
      connection,
      sql`CREATE TABLE IF NOT EXISTS meta (key TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL)`,
    );
    await migrateFrom(Number((await readMeta(connection, 'schema_version')) ?? 0), connection, migrations);
    await run(connection, sql`COMMIT`);
    return true;
  } catch (error) {
    if (!connection.isLost) await run(connection, sql`ROLLBACK`);
    if (codeOf(error) === LOCK_TIMEOUT) return false;
    throw error;
  }
}

async function migrateFrom(
  version: number,
  connection: Connection,
  migrations: readonly SharedMigration[],
): Promise<void> {
  const known = FIRST_VERSION + migrations.length;
  const runsFrom = Number((await readMeta(connection, 'runs_from')) ?? FIRST_VERSION);
  if (runsFrom > known)
    throw new WrongDatabaseError(
      `The database was written by a newer Roomful (schema ${version}; this one knows ${known}). ` +
        'Start that version or a later one.',
    );
  if (version >= known) return;
  if (version === 0) await connection.script(`${POSTGRES_SCHEMA};${APPEND_V1}`, MIGRATION_MS);
  const missing = migrations.filter((step) => step.version > version);
  for (const { postgres } of missing) await connection.script(postgres, MIGRATION_MS);
  await writeMeta(connection, 'schema_version', String(known));
  await writeMeta(
    connection,
    'runs_from',
    String(Math.max(runsFrom, ...missing.map((step) => step.runsFrom))),
  );
}

/** 0: the database is empty. */
export async function readSchemaVersion(connection: Connection): Promise<number> {
  const [table] = await connection.query<{ oid: string | null }>(
    sql`SELECT to_regclass('meta')::text AS oid`,
    STATEMENT_MS,
  );
  return table?.oid == null ? 0 : Number((await readMeta(connection, 'schema_version')) ?? 0);
}

/** Waits while another process migrates. */
async function takeLock(connection: Connection): Promise<void> {
  const deadline = performance.now() + MIGRATION_MS;
  for (;;) {
    const [row] = await connection.query<{ taken: boolean }>(
      sql`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}::bigint) AS taken`,
      STATEMENT_MS,
    );
    if (row?.taken) return;
    if (performance.now() > deadline)
      throw new UnusableDatabaseError(
        'Another process has been changing the tables for 10 minutes. Try again later.',
      );
    await sleep(PAUSE_MS);
  }
}

async function readMeta(connection: Connection, key: string): Promise<string | undefined> {
  const [row] = await connection.query<{ value: string }>(
    sql`SELECT value FROM meta WHERE key = ${key}`,
    STATEMENT_MS,
  );
  return row?.value;
}

async function writeMeta(connection: Connection, key: string, value: string): Promise<void> {
  await run(
    connection,
    sql`INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}

async function run(connection: Connection, statement: Sql): Promise<void> {
  await connection.query(statement, STATEMENT_MS);
}
