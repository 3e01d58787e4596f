/** The SQLite database that is copied. It is only read, until the copy is complete and verified. */
import { existsSync } from 'node:fs';
import { UnusableDatabaseError, WrongDatabaseError } from '../../../platform/unusable-database.ts';
import { SCHEMA_VERSION } from '../migrations/migrations.ts';
import { databaseFile } from '../sqlite/data-dir.ts';
import { makeDurable, openForReading, openForWriting } from '../sqlite/database.ts';
import { describe, type Sqlite, type Statement } from '../sqlite/driver/driver.ts';
import { lockDataDir } from '../sqlite/lock.ts';
import { MOVED_TO, readMeta, refuseNewer, schemaVersion, writeMeta } from '../sqlite/migrate.ts';
import { explainOpeningError } from '../sqlite/opening-errors.ts';
import { type Catalog, NUMBERED, sourceColumns, type TableWithColumns } from './tables.ts';

/** By column. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Keys of `meta` that are about the SQLite file itself, or say when a task of its server is due. */
const isOwnKey = (key: string) => key === 'schema_version' || key === MOVED_TO || key.startsWith('due:');

export class Source {
  readonly #dataDir: string;
  readonly #sqlite: Sqlite;
  readonly #statements = new Map<string, Statement>();
  /** Names the history that the database has. */
  readonly epoch: string;

  private constructor(dataDir: string, sqlite: Sqlite, epoch: string) {
    this.#dataDir = dataDir;
    this.#sqlite = sqlite;
    this.epoch = epoch;
  }

  /** For reading, while a server may run. Throws a sentence for the operator. */
  static open(dataDir: string): Source {
    const file = databaseFile(dataDir);
    if (!existsSync(file))
      throw new WrongDatabaseError(
        `There is no database in ${dataDir}. After --from, name the folder that the server has as DATA_DIR.`,
      );
    return explained(dataDir, () => {
      const sqlite = openForReading(file);
      try {
        return new Source(dataDir, sqlite, epochOf(sqlite));
      } catch (error) {
        sqlite.close();
        throw error;
      }
    });
  }

  /** The database to which a copy has moved the data. */
  get movedTo(): string | undefined {
    return explained(this.#dataDir, () => readMeta(this.#sqlite, MOVED_TO));
  }

  /** The folder's lock, or undefined while a server holds it. */
  lock(): Sqlite | undefined {
    try {
      return lockDataDir(this.#dataDir);
    } catch (error) {
      if (error instanceof UnusableDatabaseError) return undefined;
      throw new UnusableDatabaseError(explainOpeningError(error, this.#dataDir));
    }
  }

  catalog(): Catalog {
    const columns = this.#all(`
      SELECT entry.name AS "table", info.name AS "column"
      FROM sqlite_schema AS entry JOIN pragma_table_info(entry.name) AS info
      WHERE entry.type = 'table' AND entry.name NOT LIKE 'sqlite_%'`);
    const catalog = new Map<string, string[]>();
    for (const { table, column } of columns)
      catalog.set(String(table), [...(catalog.get(String(table)) ?? []), String(column)]);
    return catalog;
  }

  /** From here on all reads see one state, while a server goes on writing. */
  beginSnapshot(): void {
    explained(this.#dataDir, () => this.#sqlite.exec('BEGIN'));
  }

  count({ name, where = 'true' }: TableWithColumns): number {
    return Number(this.#all(`SELECT count(*) AS count FROM ${name} WHERE ${where}`)[0]?.count);
  }

  /** The number of each room's last event. */
  heads(): { id: number; seq: number }[] {
    return this.#all('SELECT id, seq FROM rooms ORDER BY id') as { id: number; seq: number }[];
  }

  /** What the clients' resume reads, too: a room's messages in the order of their latest change. */
  messagesAfter(table: TableWithColumns, roomId: number, changedSeq: number, limit: number): Row[] {
    return this.#all(
      `SELECT ${sourceColumns(table)} FROM messages WHERE room_id = ? AND changed_seq > ?
       ORDER BY changed_seq LIMIT ?`,
      [roomId, changedSeq, limit],
    );
  }

  /** A table's rows in the order of its key; `after`: the key of the last row before them. */
  page(
    table: TableWithColumns,
    after: readonly (string | number | null)[] | undefined,
    limit: number,
  ): Row[] {
    const key = table.key.join(', ');
    const from = after === undefined ? '' : `AND (${key}) > (${after.map(() => '?').join(', ')})`;
    const which = `WHERE ${table.where ?? 'true'} ${from}`;
    return this.#all(`SELECT ${sourceColumns(table)} FROM ${table.name} ${which} ORDER BY ${key} LIMIT ?`, [
      ...(after ?? []),
      limit,
    ]);
  }

  meta(): { key: string; value: string }[] {
    const all = this.#all('SELECT key, value FROM meta') as { key: string; value: string }[];
    return all.filter(({ key }) => !isOwnKey(key));
  }

  /** The highest id that was ever given, by table. */
  lastIds(): { table: string; id: number }[] {
    const all = this.#all('SELECT name AS "table", seq AS id FROM sqlite_sequence');
    return (all as { table: string; id: number }[]).filter(({ table }) => NUMBERED.includes(table));
  }

  /** From now on no server starts on it. The folder must be locked. */
  markMoved(to: string): void {
    explained(this.#dataDir, () => {
      const sqlite = openForWriting(databaseFile(this.#dataDir));
      try {
        makeDurable(sqlite);
        writeMeta(sqlite, MOVED_TO, to);
      } finally {
        sqlite.close();
      }
    });
  }

  close(): void {
    this.#sqlite.close();
  }

  #all(text: string, values: readonly (string | number | null)[] = []): Row[] {
    return explained(this.#dataDir, () => {
      let statement = this.#statements.get(text);
      if (!statement) {
        statement = this.#sqlite.prepare(text);
        this.#statements.set(text, statement);
      }
      return statement.all(...values) as Row[];
    });
  }
}

function epochOf(sqlite: Sqlite): string {
  refuseNewer(sqlite);
  const version = schemaVersion(sqlite);
  const epoch = readMeta(sqlite, 'epoch');
  if (version === SCHEMA_VERSION && epoch !== undefined) return epoch;
  throw new UnusableDatabaseError(
    version === SCHEMA_VERSION
      ? 'The database was restored and not started since. Start the server on it once, and run the command again.'
      : `The database was written by an older Roomful (schema ${version}; this one knows ${SCHEMA_VERSION}). ` +
          'Start this version on it once, which migrates it, and run the command again.',
  );
}

/** Turns SQLite's errors into a sentence. */
function explained<T>(dataDir: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error;
    throw new UnusableDatabaseError(explainOpeningError(error, dataDir), { cause: describe(error) });
  }
}
