/** The PostgreSQL database that a copy fills. Until the copy is complete and verified, no server starts on it. */
import { type DatabaseAddress, describeAddress } from '../../../platform/database-address.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../../../platform/unusable-database.ts';
import type { Connection } from '../postgres/connection.ts';
import { DatabaseFailure, DISK_FULL } from '../postgres/failures.ts';
import { MIGRATION_LOCK, migrate, refuseUnsafe } from '../postgres/migrate.ts';
import { openPrimary } from '../postgres/primaries.ts';
import { COPYING } from '../postgres/unfinished-copy.ts';
import { numbers } from '../postgres/values.ts';
import { FILL_FILE_USAGE } from '../queries/file-rows.ts';
import { type Sql, sql } from '../queries/sql.ts';
import { catalogQuery, pageQuery, raw } from './postgres-tables.ts';
import type { Row, Source } from './source.ts';
import type { Catalog, TableWithColumns } from './tables.ts';

/** Far beyond what a statement on a busy server takes; past it the connection counts as lost. */
const STATEMENT_MS = 600_000;
/** How long to wait for another copy: the server soon frees the lock of one that was killed. */
const LOCK_MS = 60_000;
/** The advisory lock of a copy: one at a time. */
const COPY_LOCK = 7;
const IDS_AT_ONCE = 1000;

/** `empty`: nothing is there. `begun`: a copy of this source. `complete`: a copy of this source that was verified. */
export type TargetState = 'empty' | 'begun' | 'complete';

/** What is copied there: the history that it has, and where it was moved. */
type Begun = Pick<Source, 'epoch' | 'movedTo'>;

/** How sentences for the operator name what fills the database. */
interface Words {
  /** What names the database. */
  setting: string;
  work: string;
  /** What the same command does when it is run again. */
  again: string;
}

const COPY: Words = { setting: '--to', work: 'copy', again: 'the copy goes on where it stopped' };

export class Target {
  readonly #address: DatabaseAddress;
  readonly #connection: Connection;
  readonly #words: Words;

  private constructor(address: DatabaseAddress, connection: Connection, words: Words) {
    this.#address = address;
    this.#connection = connection;
    this.#words = words;
  }

  /** Connects and keeps other copies away. Rejects with a sentence for the operator. */
  static async open(address: DatabaseAddress, words = COPY): Promise<Target> {
    const connection = await openPrimary(address).catch((error: Error) => {
      throw new WrongDatabaseError(
        `The database at ${describeAddress(address)} cannot be used: ${error.message}. Check ${words.setting}.`,
      );
    });
    const target = new Target(address, connection, words);
    try {
      await refuseUnsafe(connection, address);
      await target.#takeLock();
      return target;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * What was there; an empty database gets its tables. Rejects with a sentence unless it is empty, or a copy of this
   * source.
   */
  async begin(source: Begun): Promise<TargetState> {
    const { epoch } = source;
    this.refuseMoved(source);
    const state = await this.transaction(async () => {
      await this.#run(sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)::text`);
      const found = await this.#state(source);
      if (found === 'empty') {
        // With the first table comes the mark that keeps servers away.
        await this.#run(sql`CREATE TABLE meta (key TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL)`);
        await this.writeMeta(COPYING, epoch);
      }
      return found;
    });
    if (state !== 'complete') await this.#explained(migrate(this.#connection));
    return state;
  }

  /** Throws a sentence when the source was copied into another database. */
  refuseMoved({ movedTo }: Begun): void {
    if (movedTo === undefined || movedTo === describeAddress(this.#address)) return;
    throw new WrongDatabaseError(
      `This data was moved to PostgreSQL at ${movedTo}. Name that database in --to.`,
    );
  }

  async catalog(): Promise<Catalog> {
    const rows = await this.#run<{ table: string; columns: string }>(catalogQuery());
    return new Map(rows.map(({ table, columns }) => [table, columns.split(' ')]));
  }

  /** The highest `changed_seq` that each room has: everything up to it was copied. */
  async cursors(roomIds: readonly number[]): Promise<Map<number, number>> {
    const cursors = new Map<number, number>();
    for (let at = 0; at < roomIds.length; at += IDS_AT_ONCE) {
      const ids = numbers(roomIds.slice(at, at + IDS_AT_ONCE));
      const rows = await this.#run<{ id: number; seq: number | null }>(sql`
        SELECT id, (SELECT max(changed_seq) FROM messages WHERE room_id = room.id) AS seq
        FROM unnest(${ids}::bigint[]) AS room (id)`);
      for (const { id, seq } of rows) cursors.set(id, seq ?? 0);
    }
    return cursors;
  }

  /** Stores rows in one transaction; with `replacing`, in the place of those that have the same values there. */
  async put(table: TableWithColumns, rows: readonly Row[], replacing: readonly string[] = []): Promise<void> {
    const name = raw(table.name);
    const columns = raw(table.columns.join(', '));
    const changes = table.columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const conflict =
      replacing.length === 0 ? sql`` : raw(`ON CONFLICT (${replacing.join(', ')}) DO UPDATE SET ${changes}`);
    await this.#run(sql`
      INSERT INTO ${name} (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::${name}, ${JSON.stringify(rows)}::json) ${conflict}`);
  }

  /** A table's rows in the order of its key; `after`: the key of the last row before them. */
  async page(
    table: TableWithColumns,
    after: readonly (string | number | null)[] | undefined,
    limit: number,
  ): Promise<Row[]> {
    return await this.#run(pageQuery(table, after, limit));
  }

  async empty(tables: readonly TableWithColumns[]): Promise<void> {
    await this.#run(sql`TRUNCATE ${namesOf(tables)}`);
  }

  async writeMeta(key: string, value: string): Promise<void> {
    await this.#run(sql`
      INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  }

  /**
   * Runs `body` without the references between tables, which are then checked all at once: three times as fast as row
   * by row. Within a transaction, so that they are there again whatever happens.
   */
  async withoutReferences(body: () => Promise<void>): Promise<void> {
    const references = await this.#run<{ table: string; name: string; definition: string }>(sql`
      SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`);
    for (const { table, name } of references)
      await this.#run(raw(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`));
    await body();
    for (const { table, name, definition } of references)
      await this.#run(raw(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`));
  }

  /** What files count, of their rows. */
  async countFiles(): Promise<void> {
    await this.#run(raw(FILL_FILE_USAGE));
  }

  /** The next row gets a higher id. */
  async setLastId(table: string, id: number): Promise<void> {
    await this.#run(sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${id})::text`);
  }

  /** Statistics for the planner, before the first server needs them. */
  async analyze(tables: readonly TableWithColumns[]): Promise<void> {
    await this.#run(sql`ANALYZE ${namesOf(tables)}`);
  }

  /** Rejects when the connection is lost; keeps one open that would be cut off because it is idle. */
  async check(): Promise<void> {
    await this.#run(sql`SELECT 1`);
  }

  /** From now on servers may start on it. */
  async finish(): Promise<void> {
    await this.#run(sql`DELETE FROM meta WHERE key = ${COPYING}`);
  }

  async transaction<T>(body: () => Promise<T>): Promise<T> {
    await this.#run(sql`BEGIN`);
    try {
      const result = await body();
      await this.#run(sql`COMMIT`);
      return result;
    } catch (error) {
      // A connection that is lost has ended it already.
      if (!this.#connection.isLost) await this.#run(sql`ROLLBACK`);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #takeLock(): Promise<void> {
    // A chunk may take longer than a server's statement, and reading the next one longer than its pauses.
    await this.#run(sql`
      SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', ${String(LOCK_MS)}, false),
        set_config('idle_in_transaction_session_timeout', '0', false)`);
    try {
      await this.#connection.query(sql`SELECT pg_advisory_lock(${COPY_LOCK}::bigint)::text`, 2 * LOCK_MS);
    } catch (error) {
      if (!(error instanceof DatabaseFailure && error.code === LOCK_NOT_AVAILABLE))
        throw this.#explain(error);
      throw new WrongDatabaseError(
        `Another copy into ${describeAddress(this.#address)} is running. Wait until it ends, or stop it.`,
      );
    }
  }

  async #state({ epoch, movedTo }: Begun): Promise<TargetState> {
    const tables = await this.catalog();
    const meta = tables.get('meta')?.join() === 'key,value' ? await this.#meta() : new Map<string, string>();
    const copied = meta.get(COPYING);
    if (copied === epoch) return 'begun';
    if (movedTo !== undefined) {
      if (copied === undefined && meta.get('epoch') === epoch) return 'complete';
      throw new WrongDatabaseError(
        `This data was moved to PostgreSQL at ${movedTo}. Name that database in --to.`,
      );
    }
    if (tables.size === 0) return 'empty';
    const where = describeAddress(this.#address);
    const { setting } = this.#words;
    throw new WrongDatabaseError(
      copied === undefined
        ? `The database at ${where} is not empty. Create an empty one, and name it in ${setting}.`
        : `The database at ${where} has a part of another copy. Create an empty one, and name it in ${setting}.`,
    );
  }

  async #meta(): Promise<Map<string, string>> {
    const rows = await this.#run<{ key: string; value: string }>(sql`SELECT key, value FROM meta`);
    return new Map(rows.map(({ key, value }) => [key, value]));
  }

  async #run<Found>(statement: Sql): Promise<Found[]> {
    return await this.#explained(this.#connection.query<Found>(statement, STATEMENT_MS));
  }

  async #explained<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof DatabaseFailure)) return error;
    const where = describeAddress(this.#address);
    const { work, again } = this.#words;
    if (error.code === DISK_FULL)
      return new UnusableDatabaseError(
        `The disk of PostgreSQL at ${where} is full. Free some space, and run the same command again: ${again}.`,
      );
    if (error.fate === 'unknown' || error.fate === 'unsent')
      return new UnusableDatabaseError(
        `PostgreSQL at ${where} was lost: ${error.message}. When it is back, run the same command again: ${again}.`,
      );
    return new UnusableDatabaseError(`PostgreSQL at ${where} refused the ${work}: ${error.message}.`);
  }
}

/** SQLSTATE of PostgreSQL. */
const LOCK_NOT_AVAILABLE = '55P03';

function namesOf(tables: readonly TableWithColumns[]): Sql {
  return raw(tables.map(({ name }) => name).join(', '));
}
