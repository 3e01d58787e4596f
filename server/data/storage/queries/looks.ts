/** What names look like (server/rules/names/looks.ts): a row for each look of a user's or a public room's name. */
import { list, type Sql, sql } from './sql.ts';
import { run, type Steps } from './steps.ts';

export type Named = 'user' | 'room';

const TABLES: Readonly<Record<Named, Sql>> = { user: sql`user_looks`, room: sql`room_looks` };

/**
 * A condition: no other name of this kind shares a look with it, where one of the two is disguised. This holds in
 * either order, so a disguised name cannot wait for the honest one. It reads other rows than it writes, so it holds
 * only where commands are serializable, as in SQLite's one writer.
 */
export function looksFree(
  kind: Named,
  name: { looks: readonly string[]; isDisguised: boolean },
  ownId = 0,
): Sql {
  const alike = sql`SELECT 1 FROM ${TABLES[kind]} WHERE look IN (${list(name.looks)}) AND id <> ${ownId}`;
  return name.isDisguised ? sql`NOT EXISTS (${alike})` : sql`NOT EXISTS (${alike} AND disguised = 1)`;
}

export function* addLooks(
  kind: Named,
  id: number,
  { looks, isDisguised }: { looks: readonly string[]; isDisguised: boolean },
): Steps<void> {
  for (const look of looks)
    yield* run(sql`
      INSERT INTO ${TABLES[kind]} (look, id, disguised) VALUES (${look}, ${id}, ${isDisguised ? 1 : 0})`);
}

/** Its name is changed, or no public name any more. */
export function* dropLooks(kind: Named, id: number): Steps<void> {
  yield* run(sql`DELETE FROM ${TABLES[kind]} WHERE id = ${id}`);
}
