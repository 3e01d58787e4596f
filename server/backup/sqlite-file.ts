/** A database file of SQLite that is read beside its server, or that is a copy. */
import { existsSync } from 'node:fs';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { openForReading } from '../storage/sqlite/database.ts';
import { describe, type Sqlite } from '../storage/sqlite/driver/driver.ts';
import { schemaVersion } from '../storage/sqlite/migrate.ts';
import { UnusableDatabaseError } from '../storage/unusable-database.ts';
import { type Report, verify } from './verify.ts';

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

/** Checks the file's pages, its references, and all that must hold for the data. */
export async function verifyFile(
  file: string,
  onRule?: (done: number, all: number) => void,
): Promise<Report> {
  return await readFile(file, async (sqlite) => {
    refuseOtherSchema(sqlite);
    // One state of the database for all checks.
    sqlite.exec('BEGIN');
    const all = (text: string) => sqlite.prepare<[], Record<string, unknown>>(text).all();
    let report: Report;
    try {
      report = await verify(async (text) => all(text), 'sqlite', onRule);
    } catch (error) {
      throw new UnusableDatabaseError(`The database at ${file} cannot be read: ${describe(error)}.`);
    }
    const pages = all('PRAGMA integrity_check(5)').filter((row) => Object.values(row)[0] !== 'ok');
    if (pages.length > 0)
      report.findings.push({ rule: 'the pages of the file are sound', count: pages.length, examples: pages });
    const references = all('PRAGMA foreign_key_check');
    if (references.length > 0)
      report.findings.push({
        ...{ rule: 'each reference leads to a row', count: references.length },
        examples: references.slice(0, 5),
      });
    return report;
  });
}

function refuseOtherSchema(sqlite: Sqlite): void {
  const version = schemaVersion(sqlite);
  if (version === SCHEMA_VERSION) return;
  throw new UnusableDatabaseError(
    version === 0
      ? 'This file is no database of Roomful.'
      : `The database has schema ${version}, and this Roomful knows ${SCHEMA_VERSION}. Use the Roomful that wrote it, or start this one on it first.`,
  );
}
