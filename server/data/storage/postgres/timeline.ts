/**
 * Whether the database is still the one that acknowledged what we know. Every failover begins a new timeline of
 * PostgreSQL. A standby that was promoted may lack the last commits, unless commits waited for it
 * (`synchronous_standby_names`). A dump that was restored is in another cluster, with another system identifier. In
 * both cases numbers are given a second time, and only a new epoch makes clients read anew (docs/GUARANTEES.md).
 */
import { randomBytes } from 'node:crypto';
import { measures } from '../../../platform/metrics/measures.ts';
import { sql } from '../queries/sql.ts';
import { first, run, type Steps } from '../queries/steps.ts';
import { writeMeta } from '../queries/upkeep.ts';
import type { Connection } from './connection.ts';
import { DatabaseFailure } from './failures.ts';
import { runSteps, write } from './transactions.ts';

/** An advisory lock: one process at a time writes the epoch. */
const LOCK = sql`SELECT pg_advisory_xact_lock(7::bigint)::text`;

const ID_GAP = 1_000_000_000;

interface State {
  now: number;
  system: string;
  timeline: string;
  isSynchronous: boolean;
  epoch: string | null;
  /** As they were noted last; null in a new database. */
  knownSystem: string | null;
  knownTimeline: string | null;
  wasSynchronous: boolean;
}

/**
 * The database's epoch, after beginning a new one where commits may have been lost. Writes only what has changed.
 * Rejects when the database itself has noted a higher timeline than the server has: it was left behind by a failover.
 */
export async function currentEpoch(connection: Connection): Promise<string> {
  const state = await runSteps(connection, readState());
  refuseLeftBehind(state);
  measures.timeline = numberOf(state.timeline);
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

function refuseLeftBehind({ system, timeline, epoch, knownSystem, knownTimeline }: State): void {
  // Without an epoch somebody has restored it, and knows.
  if (epoch === null || knownTimeline === null || knownSystem !== system) return;
  if (numberOf(timeline) >= numberOf(knownTimeline)) return;
  const numbers = `timeline ${numberOf(timeline)}, and notes timeline ${numberOf(knownTimeline)}`;
  throw new DatabaseFailure(`the server was left behind by a failover: it is on ${numbers}`, 'unsent');
}

function numberOf(timeline: string): number {
  return Number.parseInt(timeline, 16);
}

function* noteState(): Steps<string> {
  const state = yield* readState();
  const { system, timeline, isSynchronous, epoch } = state;
  if (!isNoted(state)) {
    yield* writeMeta('system', system);
    yield* writeMeta('timeline', timeline);
    yield* writeMeta('synchronous', String(isSynchronous));
  }
  return epoch !== null && !mayHaveLost(state) ? epoch : yield* beginEpoch(state);
}

function mayHaveLost({ system, timeline, knownSystem, knownTimeline, wasSynchronous }: State): boolean {
  if (knownTimeline === null) return false;
  return knownSystem !== system || (knownTimeline !== timeline && !wasSynchronous);
}

function* readState(): Steps<State> {
  const state = yield* first<State>(sql`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS now,
      (SELECT system_identifier::text FROM pg_control_system()) AS system,
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
      current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
      (SELECT value FROM meta WHERE key = 'epoch') AS epoch,
      (SELECT value FROM meta WHERE key = 'system') AS "knownSystem",
      (SELECT value FROM meta WHERE key = 'timeline') AS "knownTimeline",
      coalesce((SELECT value FROM meta WHERE key = 'synchronous') = 'true', false) AS "wasSynchronous"`);
  if (!state) throw new Error('the database returned no timeline');
  return state;
}

function isNoted(state: State): boolean {
  const { system, timeline, isSynchronous, knownSystem, knownTimeline, wasSynchronous } = state;
  return knownSystem === system && knownTimeline === timeline && wasSynchronous === isSynchronous;
}

function* beginEpoch({ knownTimeline, now }: State): Steps<string> {
  const epoch = randomBytes(9).toString('base64url');
  yield* writeMeta('epoch', epoch);
  if (knownTimeline === null) return epoch;
  // A token that was spent or revoked in a commit that was lost would work again.
  yield* run(sql`UPDATE sessions SET revoked_at = ${now} WHERE revoked_at IS NULL`);
  // Ids that were given in commits that were lost are not given again: to a client they name something else.
  yield* run(sql`
    SELECT setval(oid::regclass, nextval(oid::regclass) + ${ID_GAP}::bigint) FROM pg_class
    WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace`);
  return epoch;
}
