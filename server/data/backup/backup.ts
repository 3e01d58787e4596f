/**
 * A backup of the embedded database, while the server runs: one consistent state, copied by `VACUUM INTO`, which a
 * server that writes meanwhile does not make begin again. The folder appears under its name once it is complete.
 */
import { once } from 'node:events';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readBuildInfo } from '../../platform/build-info.ts';
import { syncFile, syncFolder } from '../../platform/durable.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { databaseFile } from '../storage/sqlite/data-dir.ts';
import { readMeta, schemaVersion } from '../storage/sqlite/migrate.ts';
import { areOnOneDisk, type CopiedFiles, copyFiles } from './files/copy.ts';
import { countFiles } from './files/rows.ts';
import { writeBackupTime } from './last-backup.ts';
import { DATABASE, MANIFEST, type Manifest, SECRET, sha256Of } from './manifest.ts';
import { restore } from './restore.ts';
import { hasFiles, queryOf, readFile, verifyFile } from './sqlite-file.ts';
import { foldersOfNew } from './unfinished.ts';
import type { Report } from './verify.ts';

const WATCH_MS = 500;

export interface BackupOptions {
  dataDir: string;
  /** The folder of uploaded files; undefined: their bytes are left out. */
  filesDir: string | undefined;
  /** What has the files that are in S3. */
  bucket?: Blobs | undefined;
  /** A backup that was made before, whose files are linked where those of `filesDir` are on another disk. */
  earlier: string | undefined;
  /** The folder of the backup; nothing may be there. */
  to: string;
  withSecret: boolean;
  /** Restores the copy once, in a folder beside it. */
  withTrial: boolean;
  onProgress(step: string, done: number, all: number): void;
}

export interface BackedUp {
  manifest: Manifest;
  /** What is wrong with the database that was copied, or its files: such a backup is kept, and better than none. */
  report: Report;
  /** Why the data folder does not say that there is a backup. */
  warning?: string;
}

/** Throws `UnusableDatabaseError` with a sentence; what was begun is gone then. */
export async function backUp(options: BackupOptions): Promise<BackedUp> {
  const { dataDir, filesDir, earlier, onProgress } = options;
  const { to, partial } = foldersOfNew(options.to);
  const source = databaseFile(dataDir);
  if (!existsSync(source))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  accessSync(source, constants.R_OK);
  mkdirSync(dirname(to), { recursive: true });
  // Leftovers of a backup that was killed.
  for (const left of [partial, `${partial}.trial`]) rmSync(left, { recursive: true, force: true });
  const bytes = statSync(source).size + (statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const files =
    filesDir === undefined ? 0 : await filesToCopy(source, { filesDir, to: dirname(to), earlier });
  refuseShortage(dirname(to), bytes * (options.withTrial ? 2 : 1) + files);
  mkdirSync(partial, { mode: 0o700 });
  try {
    const made = await copy(partial, { ...options, source, bytes });
    if (options.withTrial) {
      onProgress('restoring it as a trial', 0, 1);
      await tryOut(partial);
    }
    syncFolder(partial);
    renameSync(partial, to);
    syncFolder(dirname(to));
    const warning = writeBackupTime(dataDir, made.manifest.made_at);
    return { ...made, ...(warning !== undefined && { warning }) };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copy(
  partial: string,
  options: BackupOptions & { source: string; bytes: number },
): Promise<BackedUp> {
  const { dataDir, source, bytes, withSecret, onProgress } = options;
  const madeAt = new Date().toISOString();
  const file = join(partial, DATABASE);
  const umask = process.umask(0o177);
  const watch = setInterval(() => {
    onProgress('copying', Math.min(existsSync(file) ? statSync(file).size : 0, bytes), bytes);
  }, WATCH_MS);
  try {
    await vacuumInto(source, file);
  } finally {
    clearInterval(watch);
    process.umask(umask);
  }
  syncFile(file);
  const onRule = (done: number, all: number) => onProgress('checking', done, all);
  // The one to make before an update, with the new version or the old one.
  const report = await verifyFile(file, { onRule, takesOlder: true });
  const { schema, epoch } = await readFile(file, (sqlite) => ({
    schema: schemaVersion(sqlite),
    epoch: readMeta(sqlite, 'epoch') ?? '',
  }));
  const secret = join(dataDir, SECRET);
  const hasSecret = withSecret && existsSync(secret);
  if (hasSecret) {
    copyFileSync(secret, join(partial, SECRET));
    syncFile(join(partial, SECRET));
  }
  const files = await copyBytes(partial, options);
  report.findings.push(...(files?.findings ?? []));
  const manifest: Manifest = {
    format: 'roomful backup 1',
    made_at: madeAt,
    version: readBuildInfo().version,
    schema,
    epoch,
    bytes: statSync(file).size,
    sha256: await sha256Of(file),
    counts: report.counts,
    ...(hasSecret && { secret_sha256: await sha256Of(join(partial, SECRET)) }),
    ...(report.findings.length > 0 && { findings: report.findings.length }),
    ...(files && { files: files.manifest }),
  };
  writeFileSync(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  syncFile(join(partial, MANIFEST));
  return { manifest, report };
}

/** The bytes of the files of the copy. */
async function copyBytes(
  partial: string,
  { filesDir, bucket, earlier, source, onProgress }: BackupOptions & { source: string },
): Promise<CopiedFiles | undefined> {
  if (filesDir === undefined) return undefined;
  return await readFile(join(partial, DATABASE), (copied) =>
    readFile(source, async (live) => {
      if (!hasFiles(copied)) return undefined;
      return await copyFiles({
        ...{ from: filesDir, bucket, to: partial, earlier, query: queryOf(copied), now: queryOf(live) },
        onProgress: (done, all) => onProgress('copying files', done, all),
      });
    }),
  );
}

/** How many bytes of files will need space of their own. */
async function filesToCopy(
  source: string,
  { filesDir, to, earlier }: { filesDir: string; to: string; earlier: string | undefined },
): Promise<number> {
  if (earlier !== undefined) return 0;
  const areLinked = areOnOneDisk(filesDir, to);
  return await readFile(source, async (sqlite) => {
    if (!hasFiles(sqlite)) return 0;
    const { bytes, inBucket } = await countFiles(queryOf(sqlite));
    return areLinked ? inBucket : bytes;
  });
}

async function vacuumInto(from: string, to: string): Promise<void> {
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: { from, to } });
  try {
    const [{ failed }] = (await once(worker, 'message')) as [{ failed?: string }];
    if (failed !== undefined) throw new UnusableDatabaseError(`The database could not be copied: ${failed}.`);
  } finally {
    await worker.terminate();
  }
}

/** Restores it in a folder of its own, which is deleted. Throws when that does not work. */
async function tryOut(from: string): Promise<void> {
  const dataDir = `${from}.trial`;
  try {
    await restore({ from, dataDir, filesDir: undefined, isForced: false, onProgress: () => undefined });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function refuseShortage(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  const mib = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new UnusableDatabaseError(
    `The backup needs ${mib(needed)} on the disk of ${folder}, which has ${mib(free)} free. ` +
      'With --no-trial it needs half of that.',
  );
}
