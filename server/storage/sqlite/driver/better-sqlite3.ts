/** The driver for Node 20 and 22. */
import Database from 'better-sqlite3';
import type { SqlValue } from '../../queries/sql.ts';
import type { OpenOptions, Sqlite, Statement } from './driver.ts';

export function openDatabase(file: string, { timeoutMs, readOnly = false }: OpenOptions): Sqlite {
  const database = new Database(file, { timeout: timeoutMs, readonly: readOnly });
  return {
    prepare: (text) => wrap(database.prepare(text)),
    exec: (text) => void database.exec(text),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

function wrap<Values extends SqlValue[], Row>(statement: Database.Statement): Statement<Values, Row> {
  return {
    all: (...values) => {
      if (statement.reader) return statement.all(...values) as Row[];
      statement.run(...values);
      return [];
    },
    get: (...values) => statement.get(...values) as Row | undefined,
    run: (...values) => {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
  };
}
