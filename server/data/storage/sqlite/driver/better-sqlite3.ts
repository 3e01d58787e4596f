/** The driver for Node 20 and 22. */
import Database from 'better-sqlite3';
import type { SqlValue } from '../../queries/sql.ts';
import type { OpenOptions, Sqlite, Statement } from './driver.ts';

// The compiled part is loaded with the first database only. If it is missing, the import must fail, and say so.
new Database(':memory:').close();

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
  const toRow = statement.reader ? rowMaker<Row>(statement.raw(true)) : undefined;
  return {
    all: (...values) => {
      if (toRow) return (statement.all(...values) as unknown[][]).map(toRow);
      statement.run(...values);
      return [];
    },
    get: (...values) => {
      const cells = statement.get(...values) as unknown[] | undefined;
      return cells && toRow?.(cells);
    },
    run: (...values) => {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
  };
}

/**
 * Reading cells and making the objects here takes half the time of the driver's own objects. Each starts as a copy, so
 * that all rows have one shape, however many columns there are.
 */
function rowMaker<Row>(statement: Database.Statement): (cells: unknown[]) => Row {
  const names = statement.columns().map(({ name }) => name);
  const empty: Record<string, unknown> = JSON.parse(
    `{${names.map((name) => `${JSON.stringify(name)}:null`)}}`,
  );
  return (cells) => {
    const row = { ...empty };
    for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = cells[index];
    return row as Row;
  };
}
