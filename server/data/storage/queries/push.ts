/** Keys and subscriptions of Web Push. A subscription is deleted in the same command that ends its session. */
import type { PushReads, PushWrites } from '../store.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** In `meta`. */
const KEYS = 'push_keys';

export const pushWrites: AsSteps<PushWrites> = {
  *putPushKeys({ keys }) {
    yield* run(sql`INSERT INTO meta (key, value) VALUES (${KEYS}, ${keys}) ON CONFLICT (key) DO NOTHING`);
    const stored = yield* findKeys();
    if (stored === undefined) throw new Error('the keys of Web Push were stored and are not there');
    return stored;
  },

  *putPushSubscription({ userId, sessionId, endpoint, p256dh, auth, now, maxPerUser }) {
    const put = yield* first(sql`
      INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
      SELECT user_id, id, ${endpoint}, ${p256dh}, ${auth}, ${now} FROM sessions
      WHERE id = ${sessionId} AND user_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now}
        AND user_id IN (SELECT id FROM users WHERE suspended_at IS NULL)
      ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
        p256dh = excluded.p256dh, auth = excluded.auth, created_at = excluded.created_at, failures = 0
      RETURNING id`);
    if (!put) return false;
    yield* run(sql`
      DELETE FROM push_subscriptions WHERE id IN (
        SELECT id FROM push_subscriptions WHERE user_id = ${userId} AND endpoint <> ${endpoint}
        ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ${maxPerUser - 1})`);
    return true;
  },

  *deletePushSubscription({ userId, endpoint }) {
    const deleted = yield* first(sql`
      DELETE FROM push_subscriptions WHERE endpoint = ${endpoint} AND user_id = ${userId} RETURNING id`);
    return deleted !== undefined;
  },

  *settlePush({ endpoint, outcome, maxFailures }) {
    if (outcome === 'gone') yield* run(sql`DELETE FROM push_subscriptions WHERE endpoint = ${endpoint}`);
    else if (outcome === 'delivered')
      yield* run(
        sql`UPDATE push_subscriptions SET failures = 0 WHERE endpoint = ${endpoint} AND failures > 0`,
      );
    else {
      yield* run(sql`UPDATE push_subscriptions SET failures = failures + 1 WHERE endpoint = ${endpoint}`);
      yield* run(
        sql`DELETE FROM push_subscriptions WHERE endpoint = ${endpoint} AND failures >= ${maxFailures}`,
      );
    }
  },
};

export const pushReads: AsSteps<PushReads> = {
  *pushKeys() {
    return yield* findKeys();
  },

  *pushSubscriptions({ userId, now }) {
    return yield* all(sql`
      SELECT push.endpoint, push.p256dh, push.auth, push.failures FROM push_subscriptions AS push
        JOIN sessions AS session ON session.id = push.session_id
      WHERE push.user_id = ${userId} AND session.revoked_at IS NULL AND session.expires_at > ${now}
      ORDER BY push.created_at, push.id`);
  },
};

/** Deletes the subscriptions of a session that ends. */
export function* endPushOf(sessionId: number): Steps<void> {
  yield* run(sql`DELETE FROM push_subscriptions WHERE session_id = ${sessionId}`);
}

function* findKeys(): Steps<string | undefined> {
  return (yield* first<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${KEYS}`))?.value;
}
