/** The database of a stopped server, into which one transaction adds a room. */
import { existsSync } from 'node:fs';
import { type DatabaseAddress, describeAddress } from '../../platform/database-address.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../../platform/unusable-database.ts';
import type { Row } from '../storage/copy/source.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import type { Connection } from '../storage/postgres/connection.ts';
import { DatabaseFailure } from '../storage/postgres/failures.ts';
import { Keeper } from '../storage/postgres/keeper.ts';
import { readSchemaVersion, refuseUnsafe } from '../storage/postgres/migrate.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { refuseUnfinishedCopy } from '../storage/postgres/unfinished-copy.ts';
import { sql } from '../storage/queries/sql.ts';
import type { Steps } from '../storage/queries/steps.ts';
import { databaseFile } from '../storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting, StepRunner } from '../storage/sqlite/database.ts';
import { codeOf, describe, type Sqlite } from '../storage/sqlite/driver/driver.ts';
import { lockDataDir } from '../storage/sqlite/lock.ts';
import { refuseMoved, refuseNewer, schemaVersion } from '../storage/sqlite/migrate.ts';
import { explainOpeningError } from '../storage/sqlite/opening-errors.ts';
import type { ExportTable } from './format.ts';
import type { Place } from './snapshot.ts';

const STATEMENT_MS = 600_000;

export interface RoomDatabase {
  run<T>(steps: Steps<T>): Promise<T>;
  /** Rejects with a sentence that names the rows; `line`: of the first of them. */
  put(table: Pick<ExportTable, 'name' | 'columns'>, rows: readonly Row[], at: FirstLine): Promise<void>;
  /** The first of so many ids of messages, above all that were ever given, which nobody else will get. */
  reserveMessages(count: number): Promise<number>;
}

export interface FirstLine {
  file: string;
  line: number;
}

interface Options {
  /** False: all of it is undone at the end. */
  isKept: boolean;
}

/**
 * Runs `body` in one transaction. Rejects with a sentence while a server runs, and keeps nothing when `body` rejects.
 */
export async function withDatabase<T>(
  { database, dataDir }: Place,
  options: Options,
  body: (database: RoomDatabase) => Promise<T>,
): Promise<T> {
  return database === undefined
    ? await withSqlite(dataDir, options, body)
    : await withPostgres(database, options, body);
}

async function withSqlite<T>(
  dataDir: string,
  { isKept }: Options,
  body: (database: RoomDatabase) => Promise<T>,
): Promise<T> {
  if (!existsSync(databaseFile(dataDir)))
    throw new UnusableDatabaseError(
      `There is no database in ${dataDir}. Set DATA_DIR as for the server, which makes it when it starts.`,
    );
  const opened: Sqlite[] = [];
  try {
    opened.push(lockDataDir(dataDir));
    const sqlite = openForWriting(databaseFile(dataDir));
    opened.unshift(sqlite);
    refuseNewer(sqlite);
    refuseMoved(sqlite, databaseFile(dataDir));
    refuseOther(schemaVersion(sqlite), dataDir);
    makeDurable(sqlite);
    sqlite.exec('BEGIN IMMEDIATE');
    const result = await body(ofSqlite(sqlite));
    sqlite.exec(isKept ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    if (!/^(SQLITE|ENOSPC|EACCES|EPERM)/.test(codeOf(error))) throw error;
    throw new UnusableDatabaseError(explainOpeningError(error, dataDir), { cause: describe(error) });
  } finally {
    for (const connection of opened) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      connection.close();
    }
  }
}

function ofSqlite(sqlite: Sqlite): RoomDatabase {
  const runner = new StepRunner(sqlite);
  return {
    run: async (steps) => runner.run(steps),
    async put({ name, columns }, rows, { file, line }) {
      const insert = sqlite.prepare(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const [index, row] of rows.entries())
        try {
          insert.run(...columns.map((column) => row[column] ?? null));
        } catch (error) {
          if (!codeOf(error).startsWith('SQLITE_CONSTRAINT')) throw error;
          throw new UnusableDatabaseError(`${file}, line ${line + index} was refused: ${describe(error)}.`);
        }
    },
    async reserveMessages() {
      const last = sqlite
        .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
        .get();
      return (last?.seq ?? 0) + 1;
    },
  };
}

async function withPostgres<T>(
  address: DatabaseAddress,
  { isKept }: Options,
  body: (database: RoomDatabase) => Promise<T>,
): Promise<T> {
  const where = describeAddress(address);
  let keeper: Keeper | undefined;
  let connection: Connection | undefined;
  try {
    // As a server alone does: no other process may have the database meanwhile.
    keeper = await Keeper.start({
      isShared: false,
      takeWithinMs: 0,
      open: () => openPrimary(address),
      onTime: () => undefined,
      onFatal: () => connection?.destroy(),
    });
    connection = await openPrimary(address);
    await refuseUnsafe(connection, address);
    refuseOther(await readSchemaVersion(connection), where);
    await refuseUnfinishedCopy(connection);
    const run = (statement: Parameters<Connection['query']>[0]) => connection?.query(statement, STATEMENT_MS);
    // Reading the next lines takes longer than the pauses of a server.
    await run(sql`SELECT set_config('statement_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`);
    await run(sql`BEGIN`);
    const result = await body(ofPostgres(connection));
    if (isKept) await connection.commit(sql`COMMIT`, STATEMENT_MS);
    return result;
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    throw new WrongDatabaseError(`The database at ${where} cannot be used: ${error.message}.`);
  } finally {
    // What is not committed ends with the connection.
    await connection?.close();
    await keeper?.end();
  }
}

function ofPostgres(connection: Connection): RoomDatabase {
  return {
    async run(steps) {
      let step = steps.next();
      while (!step.done) step = steps.next(await connection.query(step.value, STATEMENT_MS));
      return step.value;
    },
    async put({ name, columns }, rows, { file, line }) {
      const list = columns.join(', ');
      const statement = {
        texts: [
          `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, `,
          '::json)',
        ],
        values: [JSON.stringify(rows)],
      };
      await connection.query(statement, STATEMENT_MS).catch((error: unknown) => {
        // Class 23: a constraint.
        if (!(error instanceof DatabaseFailure && error.code?.startsWith('23'))) throw error;
        const lines = `${file}, lines ${line} to ${line + rows.length - 1}`;
        throw new UnusableDatabaseError(`${lines} were refused: ${error.message}.`);
      });
    },
    async reserveMessages(count) {
      const [last] = await connection.query<{ id: number }>(
        sql`SELECT setval(sequence, coalesce(pg_sequence_last_value(sequence), 0) + ${count}) AS id
          FROM (SELECT pg_get_serial_sequence('messages', 'id')::regclass AS sequence) AS messages`,
        STATEMENT_MS,
      );
      return Number(last?.id) - count + 1;
    },
  };
}

function refuseOther(version: number, where: string): void {
  if (version === SCHEMA_VERSION) return;
  throw new WrongDatabaseError(
    `The database in ${where} has schema ${version}, and this Roomful knows ${SCHEMA_VERSION}. ` +
      'Start this Roomful on it once, which brings it up to date, and run the command again.',
  );
}
