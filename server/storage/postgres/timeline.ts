/**
 * Whether the database is still the one that acknowledged what we know. Every failover begins a new timeline of
 * PostgreSQL. A standby that was promoted may lack the last commits, unless commits waited for it
 * (`synchronous_standby_names`). Then numbers are given a second time, and only a new epoch makes clients read anew
 * (docs/GUARANTEES.md).
 */
import { randomBytes } from 'node:crypto';
import { sql } from '../queries/sql.ts';
import { first, run, type Steps } from '../queries/steps.ts';
import { writeMeta } from '../queries/upkeep.ts';
import type { Connection } from './connection.ts';
import { runSteps, write } from './transactions.ts';

/** An advisory lock: one process at a time writes the epoch. */
const LOCK = sql`SELECT pg_advisory_xact_lock(7::bigint)::text`;

interface State {
  now: number;
  timeline: string;
  isSynchronous: boolean;
  epoch: string | null;
  /** As they were noted last. */
  knownTimeline: string | null;
  wasSynchronous: boolean;
}

/** The database's epoch, after beginning a new one where commits may have been lost. Writes only what has changed. */
export async function currentEpoch(connection: Connection): Promise<string> {
  const state = await runSteps(connection, readState());
  if (state.epoch !== null && isNoted(state)) return state.epoch;
  return await write(connection, [LOCK], noteState);
}

/** Begins a new epoch in place of `epoch`, because commits of that one are known to be lost. */
export async function renewEpoch(connection: Connection, epoch: string): Promise<void> {
  await write(connection, [LOCK], function* () {
    const state = yield* readState();
    if (state.epoch === epoch) yield* beginEpoch(state);
  });
}

function* noteState(): Steps<string> {
  const state = yield* readState();
  const { epoch, timeline, knownTimeline, isSynchronous, wasSynchronous } = state;
  if (!isNoted(state)) {
    yield* writeMeta('timeline', timeline);
    yield* writeMeta('synchronous', String(isSynchronous));
  }
  const hasFailedOver = knownTimeline !== null && knownTimeline !== timeline;
  return epoch !== null && (!hasFailedOver || wasSynchronous) ? epoch : yield* beginEpoch(state);
}

function* readState(): Steps<State> {
  const state = yield* first<State>(sql`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS now,
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
      current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
      (SELECT value FROM meta WHERE key = 'epoch') AS epoch,
      (SELECT value FROM meta WHERE key = 'timeline') AS "knownTimeline",
      coalesce((SELECT value FROM meta WHERE key = 'synchronous') = 'true', false) AS "wasSynchronous"`);
  if (!state) throw new Error('the database returned no timeline');
  return state;
}

function isNoted({ timeline, knownTimeline, isSynchronous, wasSynchronous }: State): boolean {
  return knownTimeline === timeline && wasSynchronous === isSynchronous;
}

function* beginEpoch({ epoch, now }: State): Steps<string> {
  const next = randomBytes(9).toString('base64url');
  yield* writeMeta('epoch', next);
  // A token that was spent or revoked in a commit that was lost would work again.
  if (epoch !== null) yield* run(sql`UPDATE sessions SET revoked_at = ${now} WHERE revoked_at IS NULL`);
  return next;
}
