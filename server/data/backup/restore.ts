/**
 * Puts a backup in the place of a data folder's database. The restored database begins a new epoch: clients read
 * everything again, all sessions have ended, and no id is given again that may have been given after the backup.
 *
 * All of that is done and checked in a folder beside the database, which then takes its place by one rename: whenever
 * the restore ends, there is the old database or the new one.
 */
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../platform/durable.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { createDataDir, databaseFile } from '../storage/sqlite/data-dir.ts';
import { openForWriting, pragma } from '../storage/sqlite/database.ts';
import { lockDataDir } from '../storage/sqlite/lock.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import { linkFiles, placeFiles } from './files/place.ts';
import { writeBackupTime } from './last-backup.ts';
import {
  DATABASE,
  endFiles,
  FILES,
  type Manifest,
  readManifest,
  refuseUnreadable,
  SECRET,
  sha256Of,
} from './manifest.ts';
import { verifyFile } from './sqlite-file.ts';
import { describeReport, type Report } from './verify.ts';

export interface RestoreOptions {
  /** The folder of the backup. */
  from: string;
  dataDir: string;
  /** Where the bytes of files go, before the database takes its place; undefined: they are only looked for. */
  filesDir: string | undefined;
  /** Moves a database aside that is there. */
  isForced: boolean;
  onProgress(step: string, done: number, all: number): void;
}

export interface Restored {
  manifest: Manifest;
  /** Where the database that was there is now. */
  movedTo: string | undefined;
  /** How many files of it could not be linked there, and are in FILES_DIR alone. */
  leftFiles: number;
  /** What was found wrong; a backup of a damaged database has its damage. */
  report: Report;
}

/** Throws `UnusableDatabaseError` with a sentence, and leaves the database that was there. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { from, dataDir, filesDir, isForced, onProgress } = options;
  refuseUnreadable(from);
  const manifest = readManifest(from);
  if (!manifest)
    throw new UnusableDatabaseError(`There is no backup in ${from}: it has no manifest.json of one.`);
  if (manifest.schema > SCHEMA_VERSION)
    throw new UnusableDatabaseError(
      `The backup was made by Roomful ${manifest.version}, which is newer than this one. Restore it with that version.`,
    );
  createDataDir(dataDir);
  const lock = lockDataDir(dataDir);
  const staging = join(dataDir, 'restoring');
  try {
    if (existsSync(databaseFile(dataDir)) && !isForced)
      throw new UnusableDatabaseError(
        `There is a database in ${dataDir}. With --force it is moved aside, and the backup takes its place.`,
      );
    const report = await prepare({ from, staging, manifest, onProgress });
    const { files } = manifest;
    if (files) {
      const onFile = (done: number, all: number) => onProgress('putting files back', done, all);
      await placeFiles({ from, manifest: files, to: filesDir, onProgress: onFile });
    }
    const { movedTo, leftFiles } = await keepOld(dataDir, filesDir);
    renameSync(databaseFile(staging), databaseFile(dataDir));
    const secret = join(from, SECRET);
    if (existsSync(secret)) {
      copyFileSync(secret, join(dataDir, SECRET));
      chmodSync(join(dataDir, SECRET), 0o600);
    }
    // The one that was restored is a backup of what is there now.
    writeBackupTime(dataDir, manifest.made_at);
    syncFolder(dataDir);
    return { manifest, movedTo, leftFiles, report };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.close();
  }
}

/** Makes the database of the backup in `staging`, in its new epoch, and checks it. */
async function prepare({
  from,
  staging,
  manifest,
  onProgress,
}: Pick<RestoreOptions, 'from' | 'onProgress'> & { staging: string; manifest: Manifest }): Promise<Report> {
  onProgress('copying', 0, 1);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  const file = databaseFile(staging);
  if (!existsSync(join(from, DATABASE)))
    throw new UnusableDatabaseError(`The backup is damaged: there is no ${DATABASE} in ${from}.`);
  copyFileSync(join(from, DATABASE), file);
  chmodSync(file, 0o600);
  if ((await sha256Of(file)) !== manifest.sha256)
    throw new UnusableDatabaseError('The backup is damaged: its database is not the one of its manifest.');
  const secret = join(from, SECRET);
  const secretHash = existsSync(secret) ? await sha256Of(secret) : '';
  if (manifest.secret_sha256 !== undefined && secretHash !== manifest.secret_sha256)
    throw new UnusableDatabaseError('The backup is damaged: its secret is not the one of its manifest.');
  change(file, "DELETE FROM meta WHERE key IN ('epoch', 'roster')");
  await begin(staging);
  // What was spent, ended or revoked after the backup must not work again.
  change(
    file,
    `DELETE FROM refresh_tokens; DELETE FROM password_resets; DELETE FROM invites; DELETE FROM follower_leases;
    ${endFiles(manifest)}`,
  );
  const report = await verifyFile(file, { onRule: (done, all) => onProgress('checking', done, all) });
  if (report.findings.length > (manifest.findings ?? 0))
    throw new UnusableDatabaseError(`The restored database is not sound.\n${describeReport(report)}`);
  syncFile(file);
  return report;
}

function change(file: string, statements: string): void {
  const sqlite = openForWriting(file);
  try {
    sqlite.exec(statements);
  } finally {
    sqlite.close();
  }
}

/**
 * The first start in the new epoch (server/data/storage/sqlite/migrate.ts), which also brings an older schema up to
 * date.
 */
async function begin(dataDir: string): Promise<void> {
  const { store } = await openSqliteStore({
    dataDir,
    onFatal(error) {
      throw error;
    },
  });
  await store.close();
}

/** Keeps the old database in a folder of its own, also under its name, where the new one then takes its place. */
async function keepOld(
  dataDir: string,
  filesDir: string | undefined,
): Promise<{ movedTo: string | undefined; leftFiles: number }> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return { movedTo: undefined, leftFiles: 0 };
  emptyLog(file);
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(':', '')}`);
  mkdirSync(aside, { mode: 0o700 });
  linkSync(file, databaseFile(aside));
  // The log of a database that cannot be opened; the new database must not find it.
  for (const end of ['-wal', '-shm'])
    if (existsSync(file + end)) renameSync(file + end, databaseFile(aside) + end);
  const secret = join(dataDir, SECRET);
  if (existsSync(secret)) copyFileSync(secret, join(aside, SECRET));
  // Of those that the new database does not have, the server will delete the bytes.
  const leftFiles = filesDir === undefined ? 0 : await linkFiles(filesDir, join(aside, FILES));
  syncFolder(aside);
  return { movedTo: aside, leftFiles };
}

/** Moves what a crash has left in the log into the database. */
function emptyLog(file: string): void {
  try {
    const sqlite = openForWriting(file);
    pragma(sqlite, 'wal_checkpoint(TRUNCATE)');
    sqlite.close();
  } catch {
    // It is damaged, which may be why a backup is restored. Its log is kept with it.
  }
}
