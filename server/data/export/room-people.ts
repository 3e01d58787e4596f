/**
 * Whom an imported room is about: people of this server with the same names, and accounts that are made for the others.
 */
import { normalizeUsername } from '../../../protocol/names.ts';
import { nameKey } from '../../../protocol/text.ts';
import { DECOY } from '../../rules/decoy-hash.ts';
import { looksOf } from '../../rules/names/looks.ts';
import { REMOVED } from '../storage/queries/removed-names.ts';
import { HIDDEN } from '../storage/queries/rooms.ts';
import { sql } from '../storage/queries/sql.ts';
import { first, run, type Steps } from '../storage/queries/steps.ts';
import { putWords } from '../storage/queries/user-words.ts';
import { userWrites } from '../storage/queries/users.ts';
import type { UserRow } from './room-rows.ts';
import { Wrong } from './wrong.ts';

export class People {
  readonly #ids = new Map<number, number>();
  readonly #keys = new Set<string>();
  /** The usernames here of people whom the server knows, and of those for whom an account is made. */
  readonly matched: string[] = [];
  readonly made: string[] = [];

  /** The id here of a person of the file. Throws `Wrong`. */
  idOf(field: string, id: number): number {
    const found = this.#ids.get(id);
    if (found === undefined) throw new Wrong(`"${field}" is ${id}, and users.jsonl has no such person`);
    return found;
  }

  /** Finds the person by the username, or makes an account. Throws `Wrong`. */
  *place(person: UserRow, now: number): Steps<void> {
    const key = person.kind === REMOVED ? `${REMOVED} ${person.id}` : nameKey(person.username);
    if (this.#ids.has(person.id)) throw new Wrong(`"id" ${person.id} comes twice`);
    if (this.#keys.has(key)) throw new Wrong(`"username" ${JSON.stringify(person.username)} comes twice`);
    this.#keys.add(key);
    const known = person.kind === REMOVED ? undefined : yield* findByKey(key);
    if (known) this.matched.push(known.username);
    const { id, username } = known ?? (yield* make(person, now));
    if (!known) this.made.push(username);
    this.#ids.set(person.id, id);
  }
}

/** A person of this server, by the name as it is typed. */
export function* findPerson(name: string): Steps<{ id: number; username: string } | undefined> {
  return yield* findByKey(nameKey(name));
}

/** No name has the key of a removed account. */
function* findByKey(key: string): Steps<{ id: number; username: string } | undefined> {
  return yield* first(sql`SELECT id, username FROM users WHERE username_key = ${key} AND kind <> ${REMOVED}`);
}

/** The role is the one of whoever registers. Nobody knows a password that fits. */
function* make(person: UserRow, now: number): Steps<{ id: number; username: string }> {
  const { username, display_name: displayName, kind } = person;
  if (kind === REMOVED) return yield* makeRemoved(now);
  if (normalizeUsername(username) !== username) throw new Wrong('"username" is not allowed');
  const created = yield* userWrites.createUser({
    ...{
      username,
      key: nameKey(username),
      ...looksOf(username),
      passwordHash: DECOY,
      isByOperator: true,
      now,
    },
  });
  if (created.outcome !== 'created')
    throw new Wrong(`"username" ${username} looks like that of somebody else here`);
  const { id } = created.user;
  yield* run(sql`UPDATE users SET display_name = ${displayName}, kind = ${kind} WHERE id = ${id}`);
  yield* putWords(id, [username, displayName]);
  return created.user;
}

/** As removing an account leaves it (server/data/storage/queries/removal.ts). */
function* makeRemoved(now: number): Steps<{ id: number; username: string }> {
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO users (username, username_key, password_hash, created_at, kind, suspended_at)
    VALUES ('', ${`${HIDDEN}${REMOVED}:new`}, '', ${now}, ${REMOVED}, ${now}) RETURNING id`);
  if (!created) throw new Error('an account was made and returned no id');
  const { id } = created;
  const username = `Removed user ${id}`;
  yield* run(sql`
    UPDATE users SET username = ${username}, username_key = ${`${HIDDEN}${REMOVED}:${id}`} WHERE id = ${id}`);
  return { id, username };
}
