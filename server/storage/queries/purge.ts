/** Deletes what has expired. */
import { type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

const HOUR_MS = 3_600_000;
/** Revoked sessions stay on record longer than any access token lives. */
const KEEP_SESSIONS_MS = 24 * HOUR_MS;
/** A spent ticket is remembered beyond its expiry, so that a clock that is set back does not revive it. */
const KEEP_SPENT_MS = 2 * HOUR_MS;
/** For the same reason an invitation stays on record for a while. */
const KEEP_INVITES_MS = 24 * HOUR_MS;

/** What became of a notification. */
const KEEP_NOTICES_MS = 7 * 24 * HOUR_MS;

/** Deletes at most `limit` expired rows of each kind; true when there may be more. */
export function* purgeSome({ now, limit }: { now: number; limit: number }): Steps<boolean> {
  const sessions = expired(now - KEEP_SESSIONS_MS, limit);
  yield* run(sql`
    DELETE FROM push_subscriptions
    WHERE session_id IN (SELECT id FROM sessions WHERE ${sessions})`);
  const deleted = [
    yield* all(sql`
      DELETE FROM refresh_tokens
      WHERE hash IN (SELECT hash FROM refresh_tokens WHERE ${expired(now, limit)}) RETURNING hash`),
    yield* all(sql`
      DELETE FROM sessions
      WHERE id IN (SELECT id FROM sessions WHERE ${sessions}) RETURNING id`),
    yield* all(sql`
      DELETE FROM spent_tickets
      WHERE jti IN (SELECT jti FROM spent_tickets WHERE ${expired(now - KEEP_SPENT_MS, limit)}) RETURNING jti`),
    yield* all(sql`
      DELETE FROM invites
      WHERE id IN (SELECT id FROM invites WHERE ${expired(now - KEEP_INVITES_MS, limit)}) RETURNING id`),
    yield* all(sql`
      DELETE FROM notify_log
      WHERE (user_id, message_id) IN (
        SELECT user_id, message_id FROM notify_log WHERE created_at < ${now - KEEP_NOTICES_MS} LIMIT ${limit})
      RETURNING user_id`),
  ];
  return deleted.some(({ length }) => length === limit);
}

function expired(before: number, limit: number): Sql {
  return sql`expires_at < ${before} LIMIT ${limit}`;
}
