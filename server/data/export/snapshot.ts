/** One state of a database, read page by page while the server goes on. */
import { existsSync } from 'node:fs';
import { type Registration, registrationSchema } from '../../../protocol/administration.ts';
import type { Config } from '../../platform/config.ts';
import { type DatabaseAddress, describeAddress } from '../../platform/database-address.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../../platform/unusable-database.ts';
import { catalogQuery, pageQuery } from '../storage/copy/postgres-tables.ts';
import { type Row, Source } from '../storage/copy/source.ts';
import { NUMBERED, planTables, type TableWithColumns } from '../storage/copy/tables.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { readSchemaVersion } from '../storage/postgres/migrate.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { refuseUnfinishedCopy } from '../storage/postgres/unfinished-copy.ts';
import { SERVER_ICON, SERVER_NAME } from '../storage/queries/server-name.ts';
import { type Sql, sql } from '../storage/queries/sql.ts';
import { databaseFile } from '../storage/sqlite/data-dir.ts';
import { REGISTRATION } from './format.ts';
import type { Manifest } from './manifest.ts';

const STATEMENT_MS = 600_000;

/** Which database it is. */
export type Place = Pick<Config, 'database' | 'dataDir'>;

export interface Snapshot {
  readonly epoch: string;
  readonly registration: Registration;
  /** Of the server; null: the default. */
  readonly name: string | null;
  /** The key of the server's picture; null: there is none. */
  readonly icon: string | null;
  /** The highest id that was ever given, by table. */
  readonly lastIds: Manifest['last_ids'];
  count(table: TableWithColumns): Promise<number>;
  /** Rows in the order of the table's key; `after`: the key of the last row before them. */
  page(table: TableWithColumns, after: readonly Value[] | undefined, limit: number): Promise<Row[]>;
  close(): Promise<void>;
}

export type Value = string | number | null;

const PAGE = 2000;

/** All rows of a table, in the order of its key. */
export async function* pagesOf(snapshot: Snapshot, table: TableWithColumns): AsyncGenerator<Row[], void> {
  let after: Value[] | undefined;
  for (;;) {
    const rows = await snapshot.page(table, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = table.key.map((column) => last[column] ?? null);
  }
}

/** Throws `UnusableDatabaseError` with a sentence. */
export async function openSnapshot({ database, dataDir }: Place): Promise<Snapshot> {
  return database === undefined ? ofSqlite(dataDir) : await ofPostgres(database);
}

function ofSqlite(dataDir: string): Snapshot {
  if (!existsSync(databaseFile(dataDir)))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  const source = Source.open(dataDir);
  try {
    if (source.movedTo !== undefined)
      throw new WrongDatabaseError(
        `This data was moved to PostgreSQL at ${source.movedTo}. Set DATABASE_URL to that database.`,
      );
    source.beginSnapshot();
    const meta = new Map(source.meta().map(({ key, value }) => [key, value]));
    return {
      epoch: source.epoch,
      registration: registrationOf(meta.get(REGISTRATION)),
      name: meta.get(SERVER_NAME) ?? null,
      icon: meta.get(SERVER_ICON) ?? null,
      lastIds: withAll(source.lastIds()),
      count: async (table) => source.count(table),
      page: async (table, after, limit) => source.page(table, after, limit),
      close: async () => source.close(),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

async function ofPostgres(address: DatabaseAddress): Promise<Snapshot> {
  const where = describeAddress(address);
  const connection = await openPrimary(address).catch((error: Error) => {
    throw new WrongDatabaseError(`The database at ${where} cannot be used: ${error.message}.`);
  });
  const run = <Found>(statement: Sql) => connection.query<Found>(statement, STATEMENT_MS);
  try {
    const version = await readSchemaVersion(connection);
    if (version !== SCHEMA_VERSION)
      throw new WrongDatabaseError(
        version === 0
          ? `The database at ${where} has no data of Roomful.`
          : `The database at ${where} has schema ${version}, and this Roomful knows ${SCHEMA_VERSION}. Use the ` +
              'Roomful that wrote it, or start this one on it first.',
      );
    await refuseUnfinishedCopy(connection);
    // The pauses while a page is written, and a page that takes long, are longer than a server's.
    await run(sql`SELECT set_config('statement_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`);
    await run(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    const meta = await run<{ key: string; value: string }>(sql`SELECT key, value FROM meta`);
    const catalog = new Map(
      (await run<{ table: string; columns: string }>(catalogQuery())).map(({ table, columns }) => [
        table,
        columns.split(' '),
      ]),
    );
    planTables(catalog, catalog);
    const settingOf = (key: string) => meta.find((one) => one.key === key)?.value;
    const lastIds: { table: string; id: number }[] = [];
    for (const table of NUMBERED) {
      const [found] = await run<{ id: number | null }>(
        sql`SELECT pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) AS id`,
      );
      lastIds.push({ table, id: found?.id ?? 0 });
    }
    return {
      epoch: settingOf('epoch') ?? '',
      registration: registrationOf(settingOf(REGISTRATION)),
      name: settingOf(SERVER_NAME) ?? null,
      icon: settingOf(SERVER_ICON) ?? null,
      lastIds: withAll(lastIds),
      async count({ name, where = 'true' }) {
        const [found] = await run<{ count: number }>({
          texts: [`SELECT count(*) AS count FROM ${name} WHERE ${where}`],
          values: [],
        });
        return Number(found?.count);
      },
      page: (table, after, limit) => run<Row>(pageQuery(table, after, limit)),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A table that never had a row has 0. */
function withAll(found: readonly { table: string; id: number }[]): Manifest['last_ids'] {
  const ids = NUMBERED.map((name) => [name, found.find(({ table }) => table === name)?.id ?? 0]);
  return Object.fromEntries(ids) as Manifest['last_ids'];
}

/** As in server/data/storage/queries/administration.ts: until an admin closes it, registration is open. */
function registrationOf(setting: string | undefined): Registration {
  return registrationSchema.catch('open').parse(setting);
}
