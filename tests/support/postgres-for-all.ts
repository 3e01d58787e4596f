/** With TEST_STORE=postgres: one PostgreSQL for all servers of a run (Vitest's globalSetup). */
import { PostgresServer } from './postgres.ts';

let server: PostgresServer | undefined;

export async function setup(): Promise<void> {
  if (process.env.TEST_STORE !== 'postgres' || process.env.TEST_DATABASE_URL !== undefined) return;
  server = await PostgresServer.startOwn();
  // The processes that run the tests inherit it.
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]();
}
