/** Runs the steps of an operation over a connection. */
import { measures } from '../../../platform/metrics/measures.ts';
import type { Sql } from '../queries/sql.ts';
import { sql } from '../queries/sql.ts';
import type { Steps } from '../queries/steps.ts';
import type { Connection } from './connection.ts';
import { codeOf, DatabaseFailure } from './failures.ts';

const STATEMENT_MS = 4000;
const DEADLOCK = '40P01';
const SERIALIZATION = '40001';
const TRIES = 20;

const BEGIN_WRITE = sql`BEGIN ISOLATION LEVEL READ COMMITTED`;
const BEGIN_READ = sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
const COMMIT = sql`COMMIT`;
const ROLLBACK = sql`ROLLBACK`;

/**
 * One transaction: takes the locks, then runs the steps. A deadlock, which the database ends, begins it anew. Rejects
 * with a DatabaseFailure, whose fate is `unknown` only when COMMIT had no response.
 */
export async function write<T>(
  connection: Connection,
  locks: readonly Sql[],
  steps: () => Steps<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToWrite(connection, locks, steps());
    } catch (error) {
      const code = codeOf(error);
      if (tries === TRIES || (code !== DEADLOCK && code !== SERIALIZATION)) throw error;
    }
  }
}

/** One snapshot for all steps. */
export async function read<T>(connection: Connection, steps: Steps<T>): Promise<T> {
  await connection.query(BEGIN_READ, STATEMENT_MS);
  try {
    return await runSteps(connection, steps);
  } finally {
    await end(connection);
  }
}

/** Without a transaction: for operations of one statement. */
export async function runSteps<T>(connection: Connection, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await connection.query(step.value, STATEMENT_MS));
  return step.value;
}

async function tryToWrite<T>(connection: Connection, locks: readonly Sql[], steps: Steps<T>): Promise<T> {
  let result: T;
  try {
    await connection.query(BEGIN_WRITE, STATEMENT_MS);
    await takeLocks(connection, locks);
    result = await runSteps(connection, steps);
  } catch (error) {
    await rollBack(connection);
    throw error instanceof DatabaseFailure && error.fate === 'unknown'
      ? new DatabaseFailure(error.message, 'unsent', error.code)
      : error;
  }
  // Nothing was written. Only a room that is there had its row locked, and a commit would wait for the disk for that.
  if (isOfNoRoom(result)) await rollBack(connection);
  else await connection.commit(COMMIT, STATEMENT_MS);
  return result;
}

/** Whether the room does not exist, at least for the one who asks. */
function isOfNoRoom(result: unknown): boolean {
  return (result as { outcome?: unknown } | null | undefined)?.outcome === 'room_not_found';
}

async function takeLocks(connection: Connection, locks: readonly Sql[]): Promise<void> {
  if (locks.length === 0) return;
  const from = performance.now();
  for (const lock of locks) await connection.query(lock, STATEMENT_MS);
  measures.locks.observe((performance.now() - from) / 1000);
}

/** A transaction whose connection is gone is rolled back by the server. */
async function rollBack(connection: Connection): Promise<void> {
  if (connection.isLost) return;
  await connection.query(ROLLBACK, STATEMENT_MS).catch(() => connection.destroy());
}

async function end(connection: Connection): Promise<void> {
  if (connection.isLost) return;
  await connection.query(COMMIT, STATEMENT_MS).catch(() => connection.destroy());
}
