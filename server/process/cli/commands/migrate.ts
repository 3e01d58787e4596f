/** `roomful migrate`: brings the database to the schema of this version, without a server. */
import type { Command } from 'commander';
import { SCHEMA_VERSION } from '../../../data/storage/migrations/migrations.ts';
import { databaseFile } from '../../../data/storage/sqlite/data-dir.ts';
import { type Config, readConfig, readEnvironment } from '../../../platform/config.ts';
import { withStore } from '../open-store.ts';
import { answer } from '../report.ts';

const AFTER = `
Every start of the server does the same first. On SQLite the server must be stopped. Back up before: an older version
refuses a database with a newer schema.

Exit code 1 with --check: migrations are due.
`;

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version')
    .option('--check', 'only say whether migrations are due')
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async ({ check, ...options }: { check?: boolean; json?: boolean }) => {
      const from = await schemaOf(readConfig(readEnvironment()));
      const isDue = from < SCHEMA_VERSION;
      if (isDue && !check) await withStore(async () => undefined);
      const state = isDue ? (check ? 'due' : 'migrated') : 'current';
      answer(
        { text: sentence(state, from), data: { from, to: Math.max(from, SCHEMA_VERSION), state } },
        options,
      );
      if (state === 'due') process.exitCode = 1;
    });
}

function sentence(state: 'due' | 'migrated' | 'current', from: number): string {
  if (state === 'current') return `The database has schema ${from}: nothing is to be done.`;
  const steps = `from schema ${from} to ${SCHEMA_VERSION}`;
  return state === 'due' ? `The database is to be migrated ${steps}.` : `The database is migrated ${steps}.`;
}

/** 0: the database is empty. Throws when a newer Roomful, on which this one cannot run, wrote it. */
async function schemaOf({ database, dataDir }: Config): Promise<number> {
  if (database !== undefined) {
    const { readSchemaVersion } = await import('../../../data/storage/postgres/migrate.ts');
    const { openPrimary } = await import('../../../data/storage/postgres/primaries.ts');
    const connection = await openPrimary(database);
    try {
      return await readSchemaVersion(connection);
    } finally {
      await connection.close();
    }
  }
  const { readFile } = await import('../../../data/backup/sqlite-file.ts');
  const { refuseNewer, schemaVersion } = await import('../../../data/storage/sqlite/migrate.ts');
  return await readFile(databaseFile(dataDir), (sqlite) => {
    refuseNewer(sqlite);
    return schemaVersion(sqlite);
  });
}
