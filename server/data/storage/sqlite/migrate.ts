/** Brings the database to this code's schema before anything else touches it. */
import { randomBytes } from 'node:crypto';
import { searchKeys } from '../../../../protocol/search/names.ts';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { looksOf } from '../../../rules/names/looks.ts';
import { looks } from '../migrations/0003-looks.ts';
import { peopleSearch } from '../migrations/0005-people-search.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../migrations/migrations.ts';
import { renewNameForms } from '../queries/name-forms.ts';
import { StepRunner, transaction } from './database.ts';
import type { Sqlite } from './driver/driver.ts';

/** Names whose forms are made anew in one transaction. */
const NAMES_AT_ONCE = 500;

/** A restored database goes on with ids this far above its last ones: more than were ever given since its backup. */
export const ID_GAP = 1_000_000_000;

/** Throws when a newer Roomful wrote the database; changes nothing. */
export function refuseNewer(sqlite: Sqlite): void {
  const version = schemaVersion(sqlite);
  if (version <= SCHEMA_VERSION) return;
  throw new UnusableDatabaseError(
    `The database was written by a newer Roomful (schema ${version}; this one knows ${SCHEMA_VERSION}). ` +
      'Start that version or a later one.',
  );
}

/** In `meta`: where `roomful copy` has moved the data. */
export const MOVED_TO = 'moved_to';

/** Throws when the data was copied to PostgreSQL: two servers would go on from the same history. Changes nothing. */
export function refuseMoved(sqlite: Sqlite, file: string): void {
  const movedTo = readMeta(sqlite, MOVED_TO);
  if (movedTo === undefined) return;
  throw new UnusableDatabaseError(
    `This data was moved to PostgreSQL at ${movedTo}. Set DATABASE_URL to that database, and start again. To go back ` +
      `while nothing was written there: sqlite3 ${file} "DELETE FROM meta WHERE key = '${MOVED_TO}'" ` +
      '(docs/OPERATIONS.md, Moving to PostgreSQL).',
  );
}

/**
 * Runs the missing migrations, all in one transaction, and returns the database's epoch. It changes only when a backup
 * is restored (docs/OPERATIONS.md), and that ends every session: a token that was spent or revoked after the backup
 * would otherwise work again.
 */
export function migrate(sqlite: Sqlite): { epoch: string } {
  const migrated = transaction(sqlite, () => {
    updateSchema(sqlite);
    return { epoch: readMeta(sqlite, 'epoch') ?? beginEpoch(sqlite) };
  });
  // In pieces: an end in between loses nothing, and the next start goes on.
  const steps = new StepRunner(sqlite);
  while (transaction(sqlite, () => steps.run(renewNameForms({ limit: NAMES_AT_ONCE }))));
  return migrated;
}

/** The migrations alone, within a transaction. */
export function updateSchema(sqlite: Sqlite): void {
  sqlite.exec(
    'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  );
  const from = schemaVersion(sqlite);
  for (const migration of MIGRATIONS.slice(from)) sqlite.exec(migration.sqlite);
  if (from < looks.version) fillLooks(sqlite);
  if (from < peopleSearch.version) fillWords(sqlite);
  if (from !== SCHEMA_VERSION) writeMeta(sqlite, 'schema_version', String(SCHEMA_VERSION));
}

function beginEpoch(sqlite: Sqlite): string {
  const epoch = randomBytes(9).toString('base64url');
  writeMeta(sqlite, 'epoch', epoch);
  sqlite.prepare('UPDATE sessions SET revoked_at = ? WHERE revoked_at IS NULL').run(Date.now());
  // Ids that were given after the backup was made are not given again: to a client they name something else.
  sqlite.prepare('UPDATE sqlite_sequence SET seq = seq + ?').run(ID_GAP);
  return epoch;
}

/** Gives the names that were there before migration 3 their looks. */
function fillLooks(sqlite: Sqlite): void {
  for (const [table, names] of [
    ['user_looks', 'SELECT id, username AS name FROM users'],
    ['room_looks', 'SELECT id, name FROM rooms'],
  ] as const) {
    const insert = sqlite.prepare(`INSERT INTO ${table} (look, id) VALUES (?, ?)`);
    for (const { id, name } of sqlite.prepare<[], { id: number; name: string }>(names).all())
      for (const look of looksOf(name).looks) insert.run(look, id);
  }
}

/** Gives the people who were there before migration 5 the words by which they are found. */
function fillWords(sqlite: Sqlite): void {
  const insert = sqlite.prepare('INSERT INTO user_words (user_id, word) VALUES (?, ?)');
  const people = sqlite.prepare<[], { id: number; username: string; displayName: string }>(
    'SELECT id, username, display_name AS displayName FROM users',
  );
  for (const { id, username, displayName } of people.all())
    for (const word of new Set([username, displayName].flatMap(searchKeys))) insert.run(id, word);
}

/** 0: the database is empty, or not Roomful's. */
export function schemaVersion(sqlite: Sqlite): number {
  return Number(readMeta(sqlite, 'schema_version') ?? 0);
}

/** Undefined also where there is no table yet. */
export function readMeta(sqlite: Sqlite, key: string): string | undefined {
  const hasMeta = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get();
  if (!hasMeta) return undefined;
  return sqlite.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

export function writeMeta(sqlite: Sqlite, key: string, value: string): void {
  sqlite
    .prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value);
}
