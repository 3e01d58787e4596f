/**
 * What each server process says of itself in the database, so that others can compare: every 5 s, in its row of
 * `writers`. One that has ended says nothing more, and one that was killed counts as alive for a moment.
 */
import { sql } from '../queries/sql.ts';
import { all, run, type Steps } from '../queries/steps.ts';

const ALIVE_MS = 20_000;
const NOW = sql`(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

/** What does not change while a process runs. */
export interface ProcessName {
  /** For people: its machine and its number. */
  process: string;
  build: string;
  /** Names its secret, and does not give it away (features/identity/secret.ts). */
  secretId: string;
}

export interface LiveProcess extends ProcessName {
  id: string;
  /** The timeline of the primary that the process uses. */
  timeline: number;
  /** How far the database's clock is ahead of its machine's. */
  clockOffsetMs: number;
}

/** Steps that write it down. */
export function noteProcess(note: LiveProcess): Steps<void> {
  const { id, process, build, secretId, timeline, clockOffsetMs } = note;
  return run(sql`
    UPDATE writers SET process = ${process}, build = ${build}, secret_id = ${secretId}, timeline = ${timeline},
      clock_offset_ms = ${clockOffsetMs}, touched_at = ${NOW} WHERE id = ${id}`);
}

/** Steps that take it back, as the process ends. */
export function forgetProcess(id: string): Steps<void> {
  return run(sql`UPDATE writers SET process = NULL WHERE id = ${id}`);
}

/** Steps that return all processes that are alive, by their names. */
export function liveProcesses(): Steps<LiveProcess[]> {
  return all<LiveProcess>(sql`
    SELECT id::text AS id, process, build, secret_id AS "secretId", timeline, clock_offset_ms AS "clockOffsetMs"
    FROM writers WHERE process IS NOT NULL AND touched_at > ${NOW} - ${ALIVE_MS}::bigint ORDER BY process, id`);
}
