/** Brings the database to this code's schema before anything else touches it. */
import { randomBytes } from 'node:crypto';
import { skeleton } from '../../identity/names/skeleton.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../migrations/migrations.ts';
import { UnusableDatabaseError } from '../unusable-database.ts';
import { transaction } from './database.ts';
import type { Sqlite } from './driver/driver.ts';

/** Throws when a newer Roomful wrote the database; changes nothing. */
export function refuseNewer(sqlite: Sqlite): void {
  const hasMeta = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get();
  const version = hasMeta ? schemaVersion(sqlite) : 0;
  if (version <= SCHEMA_VERSION) return;
  throw new UnusableDatabaseError(
    `The database was written by a newer Roomful (schema ${version}; this one knows ${SCHEMA_VERSION}). Start that version or a later one.`,
  );
}

/**
 * Runs the missing migrations, all in one transaction, and returns the database's epoch. It changes only when a backup
 * is restored (docs/OPERATIONS.md), and that ends every session: a token that was spent or revoked after the backup
 * would otherwise work again.
 */
export function migrate(sqlite: Sqlite): { epoch: string } {
  return transaction(sqlite, () => {
    sqlite.exec(
      'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
    );
    for (const migration of MIGRATIONS.slice(schemaVersion(sqlite))) sqlite.exec(migration.sqlite);
    fillSkeletons(sqlite);
    writeMeta(sqlite, 'schema_version', String(SCHEMA_VERSION));
    return { epoch: readMeta(sqlite, 'epoch') ?? beginEpoch(sqlite) };
  });
}

function beginEpoch(sqlite: Sqlite): string {
  const epoch = randomBytes(9).toString('base64url');
  writeMeta(sqlite, 'epoch', epoch);
  sqlite.prepare('UPDATE sessions SET revoked_at = ? WHERE revoked_at IS NULL').run(Date.now());
  return epoch;
}

function fillSkeletons(sqlite: Sqlite): void {
  const without = sqlite
    .prepare<[], { id: number; key: string }>(
      'SELECT id, username_key AS key FROM users WHERE username_skeleton IS NULL',
    )
    .all();
  const fill = sqlite.prepare('UPDATE users SET username_skeleton = ? WHERE id = ?');
  for (const { id, key } of without) fill.run(skeleton(key), id);
}

function schemaVersion(sqlite: Sqlite): number {
  return Number(readMeta(sqlite, 'schema_version') ?? 0);
}

function readMeta(sqlite: Sqlite, key: string): string | undefined {
  return sqlite.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

function writeMeta(sqlite: Sqlite, key: string, value: string): void {
  sqlite
    .prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value);
}
