/** The text of a statement as SQLite gets it. */
import { render, type Sql } from '../queries/sql.ts';

/**
 * SQLite's planner reads the parameter of `LIMIT`, and plans the statement again whenever one is bound, even to the
 * same value (`sqlite3ExprIsInteger` and `expmask` in SQLite 3.53). It does not read the parameters of an expression.
 */
const READ_BY_PLANNER = /\b(LIMIT|OFFSET) \?/g;

/** The statement as it is prepared, once for all its values. */
export function textOf(statement: Sql): string {
  return render(statement, () => '?').replaceAll(READ_BY_PLANNER, '$1 +?');
}
