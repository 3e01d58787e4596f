/** Reading whole tables of PostgreSQL, whatever columns they have. */
import { type Sql, sql } from '../queries/sql.ts';
import type { TableWithColumns } from './tables.ts';

/** Each table with its columns, separated by a space. */
export function catalogQuery(): Sql {
  return sql`
    SELECT table_name AS "table", string_agg(column_name, ' ' ORDER BY ordinal_position) AS columns
    FROM information_schema.columns WHERE table_schema = current_schema() GROUP BY table_name`;
}

/** A table's rows in the order of its key; `after`: the key of the last row before them. */
export function pageQuery(
  { name, key, columns, where = 'true' }: TableWithColumns,
  after: readonly (string | number | null)[] | undefined,
  limit: number,
): Sql {
  const keys = raw(key.join(', '));
  const from = after === undefined ? sql`` : sql`AND (${keys}) > (${listOf(after)})`;
  return sql`SELECT ${raw(columns.join(', '))} FROM ${raw(name)} WHERE ${raw(where)} ${from}
    ORDER BY ${keys} LIMIT ${limit}`;
}

/** A part of a statement that is SQL itself, here names of tables and columns. */
export function raw(text: string): Sql {
  return { texts: [text], values: [] };
}

function listOf(values: readonly (string | number | null)[]): Sql {
  return { texts: ['', ...values.slice(1).map(() => ', '), ''], values };
}
