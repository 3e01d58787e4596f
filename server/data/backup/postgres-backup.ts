/**
 * A backup of PostgreSQL while processes run: one state of the database, by `pg_dump`, which is counted and checked in
 * the same snapshot. The folder appears under its name once it is complete.
 */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBuildInfo } from '../../platform/build-info.ts';
import { type DatabaseAddress, describeAddress } from '../../platform/database-address.ts';
import { syncFile, syncFolder } from '../../platform/durable.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { readSchemaVersion } from '../storage/postgres/migrate.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { runSteps } from '../storage/postgres/transactions.ts';
import { refuseUnfinishedCopy } from '../storage/postgres/unfinished-copy.ts';
import { noteBackupTime } from '../storage/queries/backup-time.ts';
import { sql } from '../storage/queries/sql.ts';
import { type CopiedFiles, copyFiles } from './files/copy.ts';
import { DUMP, FILES_SCHEMA, MANIFEST, type PostgresManifest, sha256Of } from './manifest.ts';
import { run } from './postgres-programs.ts';
import { foldersOfNew } from './unfinished.ts';
import { countRows, type Query, type Report, verify } from './verify.ts';

const WATCH_MS = 500;
const STATEMENT_MS = 4000;
/** A dump, or the check of a large table, takes a while. */
const DEADLINE_MS = 24 * 3_600_000;
type Progress = (step: string, done: number, all: number) => void;

export interface PostgresBackupOptions {
  address: DatabaseAddress;
  /** The folder of the backup; nothing may be there. */
  to: string;
  /** As of the embedded database. */
  filesDir: string | undefined;
  /** What has the files that are in S3. */
  bucket?: Blobs | undefined;
  earlier: string | undefined;
  /** Reads the dump back. */
  withTrial: boolean;
  onProgress: Progress;
}

/** Throws `UnusableDatabaseError` with a sentence; what was begun is gone then. */
export async function backUpPostgres(
  options: PostgresBackupOptions,
): Promise<{ manifest: PostgresManifest; report: Report; warning?: string }> {
  const { to, partial } = foldersOfNew(options.to);
  mkdirSync(dirname(to), { recursive: true });
  // Leftovers of a backup that was killed.
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  try {
    const made = await copy(partial, options);
    syncFolder(partial);
    renameSync(partial, to);
    syncFolder(dirname(to));
    return { ...made, ...(await note(options.address, made.manifest.made_at)) };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** The backup is there, whether this can be written or not. */
async function note(address: DatabaseAddress, madeAt: string): Promise<{ warning?: string }> {
  try {
    const connection = await openPrimary(address);
    try {
      await runSteps(connection, noteBackupTime(madeAt));
    } finally {
      await connection.close();
    }
    return {};
  } catch (error) {
    return {
      warning: `The time of the backup could not be noted: ${error instanceof Error ? error.message : error}.`,
    };
  }
}

async function copy(partial: string, options: PostgresBackupOptions) {
  const { address, withTrial, onProgress } = options;
  const madeAt = new Date().toISOString();
  const file = join(partial, DUMP);
  const connection = await openPrimary(address);
  try {
    const schema = await readSchemaVersion(connection);
    if (schema === 0)
      throw new UnusableDatabaseError(`There is no Roomful in the database at ${describeAddress(address)}.`);
    await refuseUnfinishedCopy(connection);
    await connection.query(
      sql`SELECT set_config('statement_timeout', '0', false),
        set_config('idle_in_transaction_session_timeout', '0', false)`,
      STATEMENT_MS,
    );
    await connection.query(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, STATEMENT_MS);
    const [state] = await connection.query<{ snapshot: string; epoch: string | null; bytes: number }>(
      sql`SELECT pg_export_snapshot() AS snapshot, (SELECT value FROM meta WHERE key = 'epoch') AS epoch,
        pg_database_size(current_database()) AS bytes`,
      STATEMENT_MS,
    );
    if (!state) throw new Error('the database returned no snapshot');
    // The program would take the first host that takes writes.
    await dump({ ...address, hosts: [connection.primary.host] }, { file, ...state, onProgress });
    const query = (text: string) =>
      connection.query<Record<string, unknown>>({ texts: [text], values: [] }, DEADLINE_MS);
    const onRule = (done: number, all: number) => onProgress('checking', done, all);
    const report =
      schema === SCHEMA_VERSION
        ? await verify(query, 'postgres', onRule)
        : { counts: await countRows(query, new Set(['users', 'rooms', 'messages'])), findings: [] };
    if (withTrial) {
      onProgress('reading it back', 0, 1);
      await run('pg_restore', ['--file=/dev/null', file]);
    }
    syncFile(file);
    const files = schema < FILES_SCHEMA ? undefined : await copyBytes(partial, query, options);
    report.findings.push(...(files?.findings ?? []));
    const manifest: PostgresManifest = {
      format: 'roomful postgres backup 1',
      made_at: madeAt,
      version: readBuildInfo().version,
      schema,
      epoch: state.epoch ?? '',
      bytes: statSync(file).size,
      sha256: await sha256Of(file),
      counts: report.counts,
      ...(report.findings.length > 0 && { findings: report.findings.length }),
      ...(files && { files: files.manifest }),
    };
    writeFileSync(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    syncFile(join(partial, MANIFEST));
    return { manifest, report };
  } finally {
    await connection.close();
  }
}

/** The bytes of the files that the snapshot has. */
async function copyBytes(
  partial: string,
  query: Query,
  { filesDir, bucket, earlier, address, onProgress }: PostgresBackupOptions,
): Promise<CopiedFiles | undefined> {
  if (filesDir === undefined) return undefined;
  const live = await openPrimary(address);
  try {
    return await copyFiles({
      ...{ from: filesDir, bucket, to: partial, earlier, query },
      now: (text) => live.query<Record<string, unknown>>({ texts: [text], values: [] }, DEADLINE_MS),
      onProgress: (done, all) => onProgress('copying files', done, all),
    });
  } finally {
    await live.close();
  }
}

async function dump(
  address: DatabaseAddress,
  of: { file: string; snapshot: string; bytes: number; onProgress: Progress },
): Promise<void> {
  const { file, snapshot, bytes, onProgress } = of;
  // A dump is compressed, so the progress usually stays below 100 %.
  const watch = setInterval(() => {
    const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    onProgress('copying', Math.min(size, bytes), bytes);
  }, WATCH_MS);
  const umask = process.umask(0o177);
  try {
    const args = [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      // The index of the search is made of the rest.
      '--exclude-table-data=*.search_*',
      `--snapshot=${snapshot}`,
      `--file=${file}`,
    ];
    await run('pg_dump', args, address);
  } finally {
    clearInterval(watch);
    process.umask(umask);
  }
}
