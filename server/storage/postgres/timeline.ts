/**
 * Whether the database is still the one that acknowledged what we know. Every failover begins a new timeline of
 * PostgreSQL. A standby that was promoted may lack the last commits, unless commits waited for it
 * (`synchronous_standby_names`). Then numbers are given a second time, and only a new epoch makes clients read anew
 * (docs/GUARANTEES.md).
 */
import { randomBytes } from 'node:crypto';
import { type Sql, sql } from '../queries/sql.ts';
import { all, run, type Steps } from '../queries/steps.ts';
import { writeMeta } from '../queries/upkeep.ts';

/** Steps that return the database's epoch, after beginning a new one where commits may have been lost. */
export function* currentEpoch(now: number): Steps<string> {
  const [known] = yield* meta('timeline', sql`FOR UPDATE`);
  const [state] = yield* all<{ timeline: string; isSynchronous: boolean }>(sql`
    SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
      current_setting('synchronous_standby_names') <> '' AS "isSynchronous"`);
  const [epoch] = yield* meta('epoch');
  if (!state) throw new Error('the database told no timeline');
  const [synchronous] = yield* meta('synchronous');
  const hasFailedOver = known !== undefined && known.value !== state.timeline;
  if (known?.value !== state.timeline) yield* writeMeta('timeline', state.timeline);
  if ((synchronous?.value === 'true') !== state.isSynchronous)
    yield* writeMeta('synchronous', String(state.isSynchronous));
  if (epoch && !(hasFailedOver && synchronous?.value !== 'true')) return epoch.value;
  const next = randomBytes(9).toString('base64url');
  yield* writeMeta('epoch', next);
  // A token that was spent or revoked in a commit that was lost would work again.
  if (epoch) yield* run(sql`UPDATE sessions SET revoked_at = ${now} WHERE revoked_at IS NULL`);
  return next;
}

function meta(key: string, lock: Sql = sql``): Steps<{ value: string }[]> {
  return all(sql`SELECT value FROM meta WHERE key = ${key} ${lock}`);
}
