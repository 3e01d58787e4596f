import { describe, expect, it } from 'vitest';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { onDatabase } from './kill-postgres.ts';

/** Says on standard error which drivers the process has loaded, when it ends. */
const REPORT = `
  import { Module } from 'node:module';
  process.on('exit', () => {
    const found = ['pg', '@redis/client', 'better-sqlite3', 'web-push', 'jws', 'http_ece'].filter((name) =>
      Object.keys(Module._cache).some((path) => path.includes('/node_modules/' + name + '/')));
    process.stderr.write('loaded: ' + found.join() + '\\n');
  });`;

async function driversOf(env: Record<string, string>): Promise<string | undefined> {
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`];
  await using server = await ServerProcess.start({ env, execArgv });
  await server.stop();
  return /^loaded: (.*)$/m.exec(server.stderr)?.[1];
}

describe('the drivers of the databases', () => {
  it.skipIf(whyNotEmbedded() !== undefined)(
    'on SQLite, those of PostgreSQL and Redis are not loaded',
    async () => {
      expect((await driversOf({}))?.replace('better-sqlite3', '')).toBe('');
    },
  );

  it.skipIf(whyNoPostgres() !== undefined)('on PostgreSQL, its driver alone is loaded', async () => {
    await using postgres = await PostgresServer.start();
    expect(await driversOf(onDatabase(await postgres.createDatabase()))).toBe('pg');
  });
});
