/** The driver for Node 24 and later: the one that is built into Node. */
import type { SqlValue } from '../../queries/sql.ts';
import type { OpenOptions, Sqlite, Statement } from './driver.ts';

/** The part of `node:sqlite` that is used here; the types of Node 20, which the project compiles with, lack it. */
interface BuiltIn {
  DatabaseSync: new (
    file: string,
    options: { timeout: number; readOnly: boolean },
  ) => {
    prepare(text: string): {
      all(...values: SqlValue[]): unknown[];
      get(...values: SqlValue[]): unknown;
      run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    };
    exec(text: string): void;
    readonly isTransaction: boolean;
    close(): void;
  };
}

/** The checkpointer reads the size of the log with `wal_checkpoint(NOOP)`, which came with SQLite 3.51. */
const MIN_SQLITE = [3, 51] as const;

const { DatabaseSync } = loadBuiltIn();

export function openDatabase(file: string, { timeoutMs, readOnly = false }: OpenOptions): Sqlite {
  const database = new DatabaseSync(file, { timeout: timeoutMs, readOnly });
  return {
    prepare: (text) => wrap(database.prepare(text)),
    exec: (text) => database.exec(text),
    get inTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
}

function wrap<Values extends SqlValue[], Row>(
  statement: ReturnType<InstanceType<BuiltIn['DatabaseSync']>['prepare']>,
): Statement<Values, Row> {
  return {
    all: (...values) => statement.all(...values) as Row[],
    get: (...values) => statement.get(...values) as Row | undefined,
    run: (...values) => {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
  };
}

function loadBuiltIn(): BuiltIn {
  const version = process.versions.sqlite ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_SQLITE[0] || (major === MIN_SQLITE[0] && minor < MIN_SQLITE[1])) {
    throw new Error(
      `the built-in SQLite is ${version}, and Roomful needs ${MIN_SQLITE.join('.')}: use Node 24.14 or newer`,
    );
  }
  return process.getBuiltinModule('node:sqlite') as unknown as BuiltIn;
}
