/**
 * Puts a backup in the place of a data folder's database. The restored database begins a new epoch: clients read
 * everything again, all sessions have ended, and no id is given again that may have been given after the backup.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { createDataDir, databaseFile } from '../storage/sqlite/data-dir.ts';
import { openForWriting } from '../storage/sqlite/database.ts';
import { lockDataDir } from '../storage/sqlite/lock.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import { UnusableDatabaseError } from '../storage/unusable-database.ts';
import { syncFolder } from './durable.ts';
import { DATABASE, type Manifest, readManifest, SECRET, sha256Of } from './manifest.ts';
import { readFile, verifyFile } from './sqlite-file.ts';
import { describeReport } from './verify.ts';

export interface RestoreOptions {
  /** The folder of the backup. */
  from: string;
  dataDir: string;
  /** Moves a database aside that is there. */
  isForced: boolean;
  onProgress(step: string, done: number, all: number): void;
}

export interface Restored {
  manifest: Manifest;
  /** Where the database that was there is now. */
  movedTo: string | undefined;
}

/** Throws `UnusableDatabaseError` with a sentence, and leaves the database that was there. */
export async function restore({ from, dataDir, isForced, onProgress }: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(from);
  if (!manifest)
    throw new UnusableDatabaseError(`There is no backup in ${from}: it has no manifest.json of one.`);
  if (manifest.schema > SCHEMA_VERSION)
    throw new UnusableDatabaseError(
      `The backup was made by Roomful ${manifest.version}, which is newer than this one. Restore it with that version.`,
    );
  createDataDir(dataDir);
  const lock = lockDataDir(dataDir);
  let movedTo: string | undefined;
  try {
    if (existsSync(databaseFile(dataDir)) && !isForced)
      throw new UnusableDatabaseError(
        `There is a database in ${dataDir}. With --force it is moved aside, and the backup takes its place.`,
      );
    const fresh = `${databaseFile(dataDir)}.restoring`;
    try {
      onProgress('copying', 0, 1);
      rmSync(fresh, { force: true });
      copyFileSync(join(from, DATABASE), fresh);
      chmodSync(fresh, 0o600);
      if ((await sha256Of(fresh)) !== manifest.sha256)
        throw new UnusableDatabaseError(
          'The backup is damaged: its database is not the one of its manifest.',
        );
      endEpoch(fresh);
      movedTo = moveAside(dataDir);
      renameSync(fresh, databaseFile(dataDir));
    } finally {
      rmSync(fresh, { force: true });
    }
    const secret = join(from, SECRET);
    if (existsSync(secret)) {
      copyFileSync(secret, join(dataDir, SECRET));
      chmodSync(join(dataDir, SECRET), 0o600);
    }
    syncFolder(dataDir);
  } finally {
    lock.close();
  }
  await begin(dataDir);
  const report = await verifyFile(databaseFile(dataDir), (done, all) => onProgress('checking', done, all));
  if (report.findings.length > 0)
    throw new UnusableDatabaseError(`The restored database is not sound.\n${describeReport(report)}`);
  return { manifest, movedTo };
}

/** The next start begins a new epoch: server/storage/sqlite/migrate.ts. */
function endEpoch(file: string): void {
  const sqlite = openForWriting(file);
  try {
    sqlite.exec(`
      DELETE FROM meta WHERE key IN ('epoch', 'roster');
      DELETE FROM refresh_tokens;
      DELETE FROM follower_leases`);
  } finally {
    sqlite.close();
  }
}

/** That next start, which also brings an older schema up to date. */
async function begin(dataDir: string): Promise<void> {
  const { store } = await openSqliteStore({
    dataDir,
    onFatal(error) {
      throw error;
    },
  });
  await store.close();
  await readFile(databaseFile(dataDir), () => undefined);
}

function moveAside(dataDir: string): string | undefined {
  const files = readdirSync(dataDir).filter((name) => /^(roomful\.db(-wal|-shm)?|jwt-secret)$/.test(name));
  if (files.length === 0) return undefined;
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(':', '')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of files) renameSync(join(dataDir, name), join(aside, name));
  return aside;
}
