/**
 * A folder for what the processes of a run leave when they end. With TEST_STORE=postgres also one PostgreSQL for all
 * servers of the run (Vitest's globalSetup).
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from './postgres.ts';

let server: PostgresServer | undefined;
let scratch = '';

export async function setup(): Promise<void> {
  scratch = await mkdtemp(join(tmpdir(), 'roomful-scratch-'));
  // PostgreSQL runs as another user.
  await chmod(scratch, 0o755);
  process.env.TEST_SCRATCH = scratch;
  if (process.env.TEST_STORE !== 'postgres' || process.env.TEST_DATABASE_URL !== undefined) return;
  server = await PostgresServer.startOwn();
  // The processes that run the tests inherit it.
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
}
