/** A SQLite database with rows in every table, in which no value is a default. */

import { databaseFile } from '../../server/data/storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting, transaction } from '../../server/data/storage/sqlite/database.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { migrate } from '../../server/data/storage/sqlite/migrate.ts';

export type Cell = string | number | null;
export type Rows = Record<string, Cell>[];

const ROWS = 3;
/** Above every `changed_seq`. */
const LAST_SEQ = 1_000_000;

/** Runs `body` on a database of this schema, which is created if there is none. */
export function withSource<T>(dataDir: string, body: (sqlite: Sqlite) => T): T {
  const sqlite = openForWriting(databaseFile(dataDir));
  try {
    makeDurable(sqlite);
    migrate(sqlite);
    return body(sqlite);
  } finally {
    sqlite.close();
  }
}

/** The tables that are copied row by row: without SQLite's own, `meta`, and the leases of running processes. */
export function tablesOf(sqlite: Sqlite): string[] {
  const tables = sqlite.prepare<[], { name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
      AND name NOT IN ('meta', 'follower_leases')`,
  );
  return tables.all().map(({ name }) => name);
}

/** How many rows a copy of a filled source counts. A new table adds three. */
export const FILLED_ROWS = 90;

/** Fills every table that the migrations make, whatever its columns are. */
export function fillEveryTable(sqlite: Sqlite): void {
  sqlite.exec('PRAGMA foreign_keys = OFF');
  transaction(sqlite, () => {
    for (const table of tablesOf(sqlite)) fill(sqlite, table);
    sqlite.exec(`UPDATE rooms SET seq = ${LAST_SEQ}`);
    // As migration 4 leaves old messages.
    sqlite.exec('UPDATE messages SET number = NULL WHERE id = 1');
    sqlite.exec('INSERT INTO meta VALUES (\'roster\', \'{"savedAt":1,"roster":[]}\')');
  });
  sqlite.exec('PRAGMA foreign_keys = ON');
}

function fill(sqlite: Sqlite, table: string): void {
  const columns = sqlite.prepare<[], { name: string; type: string }>(`PRAGMA table_info(${table})`).all();
  const references = sqlite.prepare<[], { from: string }>(`PRAGMA foreign_key_list(${table})`).all();
  const ids = new Set(['id', ...references.map(({ from }) => from)]);
  const names = columns.map(({ name }) => name);
  const insert = sqlite.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  for (let row = 1; row <= ROWS; row++) {
    const values = columns.map(({ name, type }, index): Cell => {
      if (ids.has(name)) return row;
      return type === 'TEXT' ? `${table}.${name} ${row} \u2603 "\\` : row * 1000 + index;
    });
    insert.run(...values);
  }
}
