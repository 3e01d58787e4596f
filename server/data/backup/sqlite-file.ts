/** A database file of SQLite that is read beside its server, or that is a copy. */
import { existsSync } from 'node:fs';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { openForReading } from '../storage/sqlite/database.ts';
import { describe, type Sqlite } from '../storage/sqlite/driver/driver.ts';
import { schemaVersion } from '../storage/sqlite/migrate.ts';
import { countRows, type Query, type Report, verify } from './verify.ts';

/** Opens the file for reading, hands it on, and closes it. */
export async function readFile<T>(file: string, use: (sqlite: Sqlite) => Promise<T> | T): Promise<T> {
  if (!existsSync(file)) throw new UnusableDatabaseError(`There is no database at ${file}.`);
  const sqlite = openForReading(file);
  try {
    return await use(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Statements of checks, on an open file. */
export function queryOf(sqlite: Sqlite): Query {
  return async (text) => sqlite.prepare<[], Record<string, unknown>>(text).all();
}

/** A database of an older Roomful has no table of files. */
export function hasFiles(sqlite: Sqlite): boolean {
  return tablesIn(sqlite).has('files');
}

export interface Checks {
  /** Called before each rule. */
  onRule?: (done: number, all: number) => void;
  /**
   * Whether a database of an older Roomful is taken. Then what must hold for the data, which changes, is not checked.
   */
  takesOlder?: boolean;
}

/** Checks the file's pages, its references, and all that must hold for the data. */
export async function verifyFile(file: string, { onRule, takesOlder = false }: Checks = {}): Promise<Report> {
  return await readFile(file, async (sqlite) => {
    const version = schemaVersion(sqlite);
    const isOlder = version > 0 && version < SCHEMA_VERSION;
    if (version !== SCHEMA_VERSION && !(isOlder && takesOlder)) throw otherSchema(version);
    // One state of the database for all checks.
    sqlite.exec('BEGIN');
    const all = (text: string) => sqlite.prepare<[], Record<string, unknown>>(text).all();
    let report: Report;
    try {
      report = isOlder
        ? { counts: await countRows(async (text) => all(text), tablesIn(sqlite)), findings: [] }
        : await verify(async (text) => all(text), 'sqlite', onRule);
    } catch (error) {
      throw new UnusableDatabaseError(`The database at ${file} cannot be read: ${describe(error)}.`);
    }
    const pages = all('PRAGMA integrity_check(5)').filter((row) => Object.values(row)[0] !== 'ok');
    if (pages.length > 0)
      report.findings.push({ rule: 'the pages of the file are sound', count: pages.length, examples: pages });
    const references = all('PRAGMA foreign_key_check');
    if (references.length > 0)
      report.findings.push({
        rule: 'each reference leads to a row',
        count: references.length,
        examples: references.slice(0, 5),
      });
    return report;
  });
}

function tablesIn(sqlite: Sqlite): Set<string> {
  const tables = sqlite
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  return new Set(tables.map(({ name }) => name));
}

function otherSchema(version: number): UnusableDatabaseError {
  if (version === 0) return new UnusableDatabaseError('This file is no database of Roomful.');
  const advice =
    version > SCHEMA_VERSION
      ? 'Use the Roomful that wrote it.'
      : 'Use the Roomful that wrote it, or bring the database up to date with this one: roomful migrate.';
  return new UnusableDatabaseError(
    `The database has schema ${version}, and this Roomful knows ${SCHEMA_VERSION}. ${advice}`,
  );
}
