/**
 * The forms of names by which they are found and compared: words, search keys and looks. Where the rules have changed
 * since a name was given, its forms are made anew at the start.
 */
import { searchForm, searchKeys } from '../../../../protocol/search/names.ts';
import { looksOf } from '../../../rules/names/looks.ts';
import { REMOVED } from './removed-names.ts';
import { list, type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

/** The present rules; raise it with each change of them, with a migration that has the indexes for it (0009). */
export const NAME_FORM = 1;
/** Rows of one INSERT: a statement of its own for each number of rows would never be used again. */
const ROWS = 40;

interface Person {
  id: number;
  username: string;
  displayName: string;
  kind: string;
}
interface NamedRoom {
  id: number;
  name: string;
  kind: string;
}
type Values = readonly (string | number)[];

/**
 * Which names are to be done next: the number stands there literally, as in the indexes, or they are not used. They are
 * the statements that PostgreSQL locks by.
 */
export function oldForms(table: 'users' | 'rooms', limit: number): Sql {
  return table === 'users'
    ? sql`FROM users WHERE name_form < 1 ORDER BY id LIMIT ${limit}`
    : sql`FROM rooms WHERE name_form < 1 ORDER BY id LIMIT ${limit}`;
}

/** Makes the forms of some names anew, at most `limit` of people and of rooms; true when there may be more. */
export function* renewNameForms({ limit }: { limit: number }): Steps<boolean> {
  const people = yield* all<Person>(
    sql`SELECT id, username, display_name AS "displayName", kind ${oldForms('users', limit)}`,
  );
  const rooms = yield* all<NamedRoom>(sql`SELECT id, name, kind ${oldForms('rooms', limit)}`);
  if (people.length > 0) yield* renewPeople(people);
  if (rooms.length > 0) yield* renewRooms(rooms);
  return people.length === limit || rooms.length === limit;
}

function* renewPeople(people: readonly Person[]): Steps<void> {
  const ids = list(people.map(({ id }) => id));
  const named = people.filter(({ kind }) => kind !== REMOVED);
  yield* run(sql`DELETE FROM user_words WHERE user_id IN (${ids})`);
  yield* run(sql`DELETE FROM user_looks WHERE id IN (${ids})`);
  const words = named.flatMap(({ id, username, displayName }) =>
    [...new Set([username, displayName].flatMap(searchKeys))].map((word) => [id, word]),
  );
  yield* insert(sql`user_words (user_id, word)`, words);
  yield* insert(
    sql`user_looks (id, look, disguised)`,
    named.flatMap(({ id, username }) => lookRows(id, username)),
  );
  yield* run(sql`UPDATE users SET name_form = ${NAME_FORM} WHERE id IN (${ids})`);
}

function* renewRooms(rooms: readonly NamedRoom[]): Steps<void> {
  const ids = list(rooms.map(({ id }) => id));
  yield* run(sql`DELETE FROM room_looks WHERE id IN (${ids})`);
  yield* insert(
    sql`room_looks (id, look, disguised)`,
    rooms.flatMap(({ id, name, kind }) => (kind === 'public' ? lookRows(id, name) : [])),
  );
  for (const { id, name } of rooms)
    yield* run(
      sql`UPDATE rooms SET search_key = ${searchForm(name)}, name_form = ${NAME_FORM} WHERE id = ${id}`,
    );
}

function lookRows(id: number, name: string): Values[] {
  const { looks, isDisguised } = looksOf(name);
  return looks.map((look) => [id, look, isDisguised ? 1 : 0]);
}

/** In statements of one size: the last row is repeated, and does nothing again. */
function* insert(into: Sql, rows: readonly Values[]): Steps<void> {
  for (let at = 0; at < rows.length; at += ROWS) {
    const some = rows.slice(at, at + ROWS);
    const last = some.at(-1) ?? [];
    const padded = [...some, ...Array.from({ length: ROWS - some.length }, () => last)];
    const values = padded
      .map((row) => row.map((value) => sql`${value}`).reduce(joined))
      .map((row) => sql`(${row})`)
      .reduce(joined);
    yield* run(sql`INSERT INTO ${into} VALUES ${values} ON CONFLICT DO NOTHING`);
  }
}

function joined(before: Sql, next: Sql): Sql {
  return sql`${before}, ${next}`;
}
