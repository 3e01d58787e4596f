/** Deletes what has expired. */
import { type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

const HOUR_MS = 3_600_000;
/** Revoked sessions stay on record longer than any access token lives. */
const KEEP_SESSIONS_MS = 24 * HOUR_MS;
/** What pages have said of themselves. */
export const KEEP_LINKS_MS = 24 * HOUR_MS;
/** A spent ticket is remembered beyond its expiry, so that a clock that is set back does not revive it. */
const KEEP_SPENT_MS = 2 * HOUR_MS;
/** For the same reason an invitation stays on record for a while. */
const KEEP_INVITES_MS = 24 * HOUR_MS;

/** What became of a notification. */
const KEEP_NOTICES_MS = 7 * 24 * HOUR_MS;

/** From which address an account was made: long enough to see a flood and to end it. */
const KEEP_REGISTRATIONS_MS = 7 * 24 * HOUR_MS;

/** The texts that closed reports keep. */
const KEEP_REPORTS_MS = 30 * 24 * HOUR_MS;

/** What was removed from a user's own: devices that come back later read everything again. */
const KEEP_REMOVED_MS = 30 * 24 * HOUR_MS;

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
    yield* all(sql`
      DELETE FROM password_resets
      WHERE code_hash IN (SELECT code_hash FROM password_resets WHERE ${expired(now, limit)}) RETURNING code_hash`),
    yield* all(sql`
      DELETE FROM registrations
      WHERE user_id IN (SELECT user_id FROM registrations WHERE at < ${now - KEEP_REGISTRATIONS_MS} LIMIT ${limit})
      RETURNING user_id`),
    yield* all(sql`
      DELETE FROM link_previews
      WHERE url_hash IN (SELECT url_hash FROM link_previews WHERE fetched_at < ${now - KEEP_LINKS_MS} LIMIT ${limit})
      RETURNING url_hash`),
    yield* purgeRemoved(sql`saved`, now - KEEP_REMOVED_MS, limit),
    yield* purgeRemoved(sql`inbox`, now - KEEP_REMOVED_MS, limit),
  ];
  return deleted.some(({ length }) => length === limit);
}

/** Deletes at most `limit` closed reports with the texts that they quote; true when it has deleted any. */
export function* purgeReports({ now, limit }: { now: number; limit: number }): Steps<boolean> {
  const deleted = yield* all(sql`
    DELETE FROM reports
    WHERE id IN (SELECT id FROM reports WHERE closed_at < ${now - KEEP_REPORTS_MS} LIMIT ${limit}) RETURNING id`);
  return deleted.length > 0;
}

interface Removed {
  userId: number;
  messageId: number;
  userSeq: number;
}

/** First their users' logs lose what these rows said: below that floor, everything is read again. */
function* purgeRemoved(table: Sql, before: number, limit: number): Steps<Removed[]> {
  const rows = yield* all<Removed>(sql`
    SELECT user_id AS "userId", message_id AS "messageId", user_seq AS "userSeq" FROM ${table}
    WHERE removed_at < ${before} LIMIT ${limit}`);
  for (const { userId, userSeq } of rows.toSorted((one, other) => one.userId - other.userId))
    yield* run(sql`UPDATE user_logs SET floor = ${userSeq} WHERE user_id = ${userId} AND floor < ${userSeq}`);
  // One that has come back in the meantime stays.
  for (const { userId, messageId } of rows)
    yield* run(sql`
      DELETE FROM ${table}
      WHERE user_id = ${userId} AND message_id = ${messageId} AND removed_at < ${before}`);
  return rows;
}

function expired(before: number, limit: number): Sql {
  return sql`expires_at < ${before} LIMIT ${limit}`;
}
