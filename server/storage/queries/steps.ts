/**
 * A use case's dealings with the database, as a generator that yields statements and is handed their rows. The same
 * steps run synchronously inside SQLite's writer thread and asynchronously over a PostgreSQL connection, whole within
 * one transaction either way. The row types are claims; the store's contract suite holds every statement to them.
 */
import type { Sql } from './sql.ts';

export type Steps<T> = Generator<Sql, T, unknown[]>;

/** All rows of a statement. */
export function* all<Row>(statement: Sql): Steps<Row[]> {
  return (yield statement) as Row[];
}

/** The first row of a statement, if it has one. */
export function* first<Row>(statement: Sql): Steps<Row | undefined> {
  const [row] = yield* all<Row>(statement);
  return row;
}

/** Runs a statement for its effect. */
export function* run(statement: Sql): Steps<void> {
  yield statement;
}
