/**
 * Puts a backup into an empty database of PostgreSQL. At its next start it begins a new epoch (storage/postgres/
 * timeline.ts): clients read everything again, all sessions have ended, and no id is given again that may have been
 * given after the backup.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseAddress, describeAddress } from '../../platform/database-address.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { sql } from '../storage/queries/sql.ts';
import { placeFiles } from './files/place.ts';
import {
  DUMP,
  endFiles,
  FILES_SCHEMA,
  type PostgresManifest,
  readPostgresManifest,
  refuseUnreadable,
  sha256Of,
} from './manifest.ts';
import { start } from './postgres-programs.ts';
import type { Report } from './verify.ts';
import { verifyPostgres } from './verify-postgres.ts';

const STATEMENT_MS = 4000;
/**
 * What a restore adds: it begins a new epoch at the next start, and what was ended or revoked after the backup must not
 * work again. The dump has emptied the search path.
 */
const finish = ({ made_at, schema, files }: PostgresManifest) => `
  RESET search_path;
  ${schema < FILES_SCHEMA ? '' : endFiles({ files })}
  DELETE FROM meta WHERE key IN ('epoch', 'installation', 'roster');
  DELETE FROM refresh_tokens;
  DELETE FROM password_resets;
  DELETE FROM invites;
  DELETE FROM follower_leases;
  INSERT INTO meta (key, value) VALUES ('last_backup', '${new Date(made_at).toISOString()}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;
`;

export interface PostgresRestoreOptions {
  address: DatabaseAddress;
  /** The folder of the backup. */
  from: string;
  /** Where the bytes of files go, before the database is filled. */
  filesDir: string | undefined;
  onProgress(step: string, done: number, all: number): void;
}

/** Throws `UnusableDatabaseError` with a sentence; until all is stored the database is empty. */
export async function restorePostgres({
  address,
  from,
  filesDir,
  onProgress,
}: PostgresRestoreOptions): Promise<{ manifest: PostgresManifest; report: Report | undefined }> {
  refuseUnreadable(from);
  const manifest = readPostgresManifest(from);
  if (!manifest)
    throw new UnusableDatabaseError(
      `There is no backup of PostgreSQL in ${from}. A backup of the embedded database is restored without ` +
        'DATABASE_URL, and then brought to PostgreSQL with roomful copy.',
    );
  if (manifest.schema > SCHEMA_VERSION)
    throw new UnusableDatabaseError(
      `The backup was made by Roomful ${manifest.version}, which is newer than this one. Restore it with that version.`,
    );
  const file = join(from, DUMP);
  onProgress('checking the file', 0, 1);
  if (!existsSync(file) || (await sha256Of(file)) !== manifest.sha256)
    throw new UnusableDatabaseError('The backup is damaged: its dump is not the one of its manifest.');
  const there = await refuseFull(address);
  const { files } = manifest;
  if (files) {
    const onFile = (done: number, all: number) => onProgress('putting files back', done, all);
    await placeFiles({ from, manifest: files, to: filesDir, onProgress: onFile });
  }
  onProgress('restoring', 0, 1);
  await fill(there, file, finish(manifest));
  if (manifest.schema < SCHEMA_VERSION) return { manifest, report: undefined };
  const report = await verifyPostgres(address, (done, all) => onProgress('checking', done, all));
  return { manifest, report };
}

/** Resolves with the address of the primary alone: the programs would take the first host that takes writes. */
async function refuseFull(address: DatabaseAddress): Promise<DatabaseAddress> {
  const connection = await openPrimary(address);
  try {
    const [table] = await connection.query(
      sql`SELECT 1 AS found FROM pg_class WHERE relnamespace = current_schema()::regnamespace LIMIT 1`,
      STATEMENT_MS,
    );
    if (table === undefined) return { ...address, hosts: [connection.primary.host] };
  } finally {
    await connection.close();
  }
  throw new UnusableDatabaseError(
    `The database at ${describeAddress(address)} is not empty. Stop all processes, create an empty one, and name it in ` +
      'DATABASE_URL. Keep the old one until people are back.',
  );
}

/** The dump and then `last`, in one transaction. Only a whole dump is committed. */
async function fill(address: DatabaseAddress, file: string, last: string): Promise<void> {
  const reading = start('pg_restore', ['--no-owner', '--no-privileges', '--file=-', file]);
  const writing = start(
    'psql',
    ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1', '--file=-'],
    address,
  );
  reading.child.stdin.end();
  writing.child.stdout.resume();
  reading.child.stdout.pipe(writing.child.stdin, { end: false });
  writing.ended.catch(() => reading.child.kill());
  try {
    await Promise.race([reading.ended, writing.ended.then(() => reading.ended)]);
    writing.child.stdin.end(last);
  } catch (error) {
    // What psql complains of is the reason why pg_restore could not write on.
    const isKilled = reading.child.killed;
    writing.child.kill('SIGKILL');
    await writing.ended.catch((reason: unknown) => {
      if (isKilled) throw reason;
    });
    throw error;
  }
  await writing.ended;
}
