/**
 * An operation as a generator that yields statements and receives their rows. The same steps run synchronously in
 * SQLite's writer thread, and can run asynchronously over a PostgreSQL connection, whole within one transaction either
 * way. The row types are claims; the store's contract suite checks every statement against them.
 */
import type { ArgsOf, ResultOf } from '../store/operation.ts';
import type { Sql } from './sql.ts';

export type Steps<T> = Generator<Sql, T, unknown[]>;

/** Operations as steps. */
export type AsSteps<Table> = {
  [Name in keyof Table]: (args: ArgsOf<Table[Name]>) => Steps<ResultOf<Table[Name]>>;
};

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
