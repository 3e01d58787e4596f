/**
 * Fills an empty database with an export. As after a restore, it begins a new epoch: all sessions have ended, and new
 * ids begin far above those that were given. Until everything is stored and checked, no server starts on it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../platform/database-address.ts';
import { syncFile, syncFolder } from '../../platform/durable.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { FILES } from '../backup/manifest.ts';
import { verifyFile } from '../backup/sqlite-file.ts';
import { describeReport, type Report } from '../backup/verify.ts';
import { verifyPostgres } from '../backup/verify-postgres.ts';
import { planTables } from '../storage/copy/tables.ts';
import { Target } from '../storage/copy/target.ts';
import { IMPORTING } from '../storage/postgres/unfinished-copy.ts';
import { FILL_FILE_USAGE } from '../storage/queries/file-rows.ts';
import { SERVER_ICON, SERVER_NAME } from '../storage/queries/server-name.ts';
import { createDataDir, createPrivateFile, databaseFile } from '../storage/sqlite/data-dir.ts';
import { openForWriting, transaction } from '../storage/sqlite/database.ts';
import { describe, type Sqlite } from '../storage/sqlite/driver/driver.ts';
import { lockDataDir } from '../storage/sqlite/lock.ts';
import { ID_GAP, migrate, updateSchema, writeMeta } from '../storage/sqlite/migrate.ts';
import { asImported, placeBytes } from './bytes.ts';
import { type ExportTable, exportTables, fileOf, REGISTRATION } from './format.ts';
import { checkFiles, readRows } from './lines.ts';
import { isOfRoom, type Manifest, readManifest } from './manifest.ts';
import type { Place } from './snapshot.ts';

export interface ImportOptions {
  config: Place;
  /** The folder of the export. */
  from: string;
  /** Where the bytes of files go, before the database is there. */
  filesDir: string;
  /** Takes data that breaks a rule of `roomful verify`. */
  isForced: boolean;
  onProgress(step: string, done: number, all: number): void;
}

export interface Imported {
  manifest: Manifest;
  report: Report;
}

/** Throws `UnusableDatabaseError` with a sentence. The database is empty then, or no server starts on it. */
export async function importAll(options: ImportOptions): Promise<Imported> {
  const { config, from, filesDir, onProgress } = options;
  const tables = exportTables();
  const { database, dataDir } = config;
  const lock = database === undefined ? lockEmpty(dataDir) : undefined;
  try {
    const manifest = readManifest(from);
    if (isOfRoom(manifest))
      throw new UnusableDatabaseError('This is the export of one room, and not of a whole service.');
    await checkFiles(from, manifest, tables, (done, all) => onProgress('checking the files', done, all));
    const table = tables.find(({ name }) => name === FILES);
    if (table) {
      const onFile = (done: number, all: number) => onProgress('putting files in place', done, all);
      await placeBytes({ from, manifest, table, to: filesDir, onProgress: onFile });
    }
    const parts = { ...options, tables, manifest };
    const report =
      database === undefined ? await intoSqlite(dataDir, parts) : await intoPostgres(database, parts);
    return { manifest, report };
  } finally {
    lock?.close();
  }
}

interface Parts extends ImportOptions {
  tables: readonly ExportTable[];
  manifest: Manifest;
}

function lockEmpty(dataDir: string): Sqlite {
  createDataDir(dataDir);
  const lock = lockDataDir(dataDir);
  // The log of a database that somebody deleted would be taken for that of the new one.
  if (!['', '-wal'].some((end) => existsSync(databaseFile(dataDir) + end))) return lock;
  lock.close();
  throw new UnusableDatabaseError(
    `There is a database in ${dataDir}. An import needs an empty one: set DATA_DIR to a folder without a database.`,
  );
}

/** Everything happens in a folder beside the database's place, which it then takes by one rename. */
async function intoSqlite(dataDir: string, parts: Parts): Promise<Report> {
  const staging = join(dataDir, 'importing');
  // What an import left that was killed.
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  const file = databaseFile(staging);
  try {
    createPrivateFile(file);
    await fill(file, parts);
    const report = await verifyFile(file, { onRule: (done, all) => parts.onProgress('checking', done, all) });
    refuseFindings(report, parts);
    syncFile(file);
    renameSync(file, databaseFile(dataDir));
    syncFolder(dataDir);
    return report;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function fill(file: string, { from, tables, manifest, onProgress }: Parts): Promise<void> {
  const sqlite = openForWriting(file);
  try {
    // The file is worth nothing until it is complete, and is synced then.
    sqlite.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF');
    transaction(sqlite, () => updateSchema(sqlite));
    const count = counter(manifest, onProgress);
    for (const table of tables) {
      const insert = sqlite.prepare(
        `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES (${table.columns.map(() => '?').join(', ')})`,
      );
      for await (const { rows, line } of readRows(from, table, manifest)) {
        transaction(sqlite, () => {
          for (const [index, row] of asImported(table, rows, manifest).entries())
            try {
              insert.run(...table.columns.map((column) => row[column] ?? null));
            } catch (error) {
              throw new UnusableDatabaseError(
                `${fileOf(table.name)}, line ${line + index} was refused: ${describe(error)}.`,
              );
            }
        });
        count(rows.length);
      }
    }
    transaction(sqlite, () => {
      sqlite.exec(FILL_FILE_USAGE);
      sqlite.exec('DELETE FROM sqlite_sequence');
      const set = sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      for (const [name, id] of Object.entries(manifest.last_ids)) set.run(name, id);
      for (const [key, value] of settingsOf(manifest)) writeMeta(sqlite, key, value);
    });
    migrate(sqlite);
  } finally {
    sqlite.close();
  }
}

/** The mark that keeps servers away is the first that is stored, and the last that is deleted. */
async function intoPostgres(address: DatabaseAddress, parts: Parts): Promise<Report> {
  const { from, tables, manifest, onProgress } = parts;
  const target = await Target.open(address, {
    setting: 'DATABASE_URL',
    work: 'import',
    again: 'it begins anew',
  });
  try {
    await target.begin({ epoch: IMPORTING, movedTo: undefined });
    const catalog = await target.catalog();
    const count = counter(manifest, onProgress);
    await target.transaction(async () => {
      await target.empty(planTables(catalog, catalog));
      await target.withoutReferences(async () => {
        for (const table of tables)
          for await (const { rows, line } of readRows(from, table, manifest)) {
            await target.put(table, asImported(table, rows, manifest)).catch((error: unknown) => {
              if (!(error instanceof UnusableDatabaseError)) throw error;
              const lines = `${fileOf(table.name)}, lines ${line} to ${line + rows.length - 1}`;
              throw new UnusableDatabaseError(`${lines}: ${error.message}`);
            });
            count(rows.length);
          }
      });
      await target.countFiles();
      await target.writeMeta('epoch', randomBytes(9).toString('base64url'));
      for (const [key, value] of settingsOf(manifest)) await target.writeMeta(key, value);
    });
    for (const [table, id] of Object.entries(manifest.last_ids)) await target.setLastId(table, id + ID_GAP);
    await target.analyze(tables);
    const report = await verifyPostgres(address, (done, all) => onProgress('checking', done, all));
    refuseFindings(report, parts);
    await target.finish();
    return report;
  } finally {
    await target.close();
  }
}

function refuseFindings(report: Report, { isForced }: Parts): void {
  if (report.findings.length === 0 || isForced) return;
  throw new UnusableDatabaseError(
    `The data of the export is damaged. With --force it is imported as it is.\n${describeReport(report)}`,
  );
}

function counter({ files }: Manifest, onProgress: ImportOptions['onProgress']): (rows: number) => void {
  const all = Object.values(files).reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  return (rows) => {
    done += rows;
    onProgress('importing', done, all);
  };
}

/** As they are in `meta`. */
function settingsOf({ settings: { registration, name, icon } }: Manifest): [key: string, value: string][] {
  const given = [
    [SERVER_NAME, name],
    [SERVER_ICON, icon],
  ] as const;
  return [
    [REGISTRATION, registration],
    ...given.flatMap(([key, value]) => (value === null ? [] : [[key, value] as [string, string]])),
  ];
}
