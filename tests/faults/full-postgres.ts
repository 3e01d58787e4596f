/**
 * G5 and G8: PostgreSQL runs out of space under a server with traffic. With its tables' disk full, sends are refused as
 * retryable, and reads go on. With the disk of its write-ahead log full it ends, and has to be started again. With space
 * again, the same process goes on.
 */
import assert from 'node:assert/strict';
import { onDatabase } from '../postgres/kill-postgres.ts';
import { eventually } from '../support/eventually.ts';
import { PostgresServer } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { backAgain, expectReads, readiness } from './full-disk.ts';
import { SmallDisk } from './storage-small-disk.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

/** An empty cluster takes about 40 MiB. */
const TABLES_MIB = 384;
const LOG_MIB = 192;
const SMALL_SEGMENTS = ['--wal-segsize=1'];
const SETTINGS = { min_wal_size: '2MB', max_wal_size: '8MB' };
const STOPPED_WITHIN_MS = 120_000;

export interface FullPostgresOptions extends Crowd {
  /** How often each of the two disks is filled. */
  rounds: { tables: number; log: number };
  window: number;
  acksBetween: number;
  /** The time within which the server must be ready after there is space, and PostgreSQL runs, again. */
  readyWithinMs: number;
}

export async function fillDisksOfPostgres(seed: number, options: FullPostgresOptions): Promise<Finding> {
  const disks = { tables: await SmallDisk.mount(TABLES_MIB), log: await SmallDisk.mount(LOG_MIB) };
  try {
    return await fill(disks, seed, options);
  } finally {
    await disks.tables.unmount();
    await disks.log.unmount();
  }
}

async function fill(
  { tables, log }: { tables: SmallDisk; log: SmallDisk },
  seed: number,
  { rounds, window, acksBetween, readyWithinMs, ...crowd }: FullPostgresOptions,
): Promise<Finding> {
  const random = seededRandom(seed);
  await using postgres = await PostgresServer.startOwn({
    ...{ dir: tables.path, walDir: log.path, settings: SETTINGS, initdb: SMALL_SEGMENTS },
  });
  await using server = await ServerProcess.start({
    env: { ...onDatabase(await postgres.createDatabase()), MESSAGES_PER_SECOND: '0' },
  });
  const { pid } = server;
  const seats = await takeSeats(server, crowd);
  const traffic = new Traffic({ target: server, random, seats, window });
  await traffic.everybodyIn();
  const longest = { tables: 0, log: 0 };
  const isNotReady = () =>
    eventually('not ready', async () => ((await readiness(server)) === 503 ? true : undefined));
  for (let round = 0; round < rounds.tables; round++) {
    await traffic.acks(acksBetween);
    const refusedBefore = traffic.journal.refused.size;
    await tables.fill(random.integer(0, 64 * 1024));
    await eventually('refusals', () => traffic.journal.refused.size > refusedBefore || undefined);
    await isNotReady();
    await expectReads(server, seats, random);
    assert(postgres.isRunning, 'PostgreSQL ended');
    await tables.free();
    longest.tables = Math.max(longest.tables, await backAgain(server, traffic.members));
  }
  for (let round = 0; round < rounds.log; round++) {
    await traffic.acks(acksBetween);
    // Segments are not used again, as when a standby has not read them yet. So it needs a new one soon.
    await postgres.set('wal_keep_size', '1GB');
    await log.fill(random.integer(0, 64 * 1024));
    await eventually('the end of PostgreSQL', () => !postgres.isRunning || undefined, STOPPED_WITHIN_MS);
    await isNotReady();
    await log.free();
    await postgres.restart();
    longest.log = Math.max(longest.log, await backAgain(server, traffic.members));
    await postgres.set('wal_keep_size', '0');
  }
  for (const [disk, ms] of Object.entries(longest))
    assert(ms <= readyWithinMs, `ready only ${ms} ms after there was space for the ${disk} again`);
  const report = await traffic.finish();
  assert.equal(server.pid, pid, 'it was started again');
  const figures = {
    ...{ 'tables full': rounds.tables, 'log full': rounds.log, refused: traffic.journal.refused.size },
    ...{ 'normal after the tables, ms': Math.round(longest.tables) },
    ...{ 'normal after the log, ms': Math.round(longest.log) },
  };
  return { report, figures: { heard: report.heard, ...figures } };
}
