/** Users, sessions and refresh tokens. */
import type { CreateUserOutcome, Exchange, ExchangeOutcome, SessionOwner, UserRow } from '../store.ts';
import { addLooks, looksFree } from './looks.ts';
import { sql } from './sql.ts';
import { all, first, run, type Steps } from './steps.ts';

/** An old token that comes back later than this is not a race between tabs but a thief, or the thief's victim. */
const RACE_WINDOW_MS = 10_000;
/** Revoked sessions stay on record longer than any access token lives. */
const KEEP_SESSIONS_MS = 24 * 3_600_000;

export function* createUser(user: {
  username: string;
  key: string;
  looks: readonly string[];
  isDisguised: boolean;
  passwordHash: string;
  now: number;
}): Steps<CreateUserOutcome> {
  const created = yield* first<UserRow>(sql`
    INSERT INTO users (username, username_key, password_hash, created_at)
    SELECT ${user.username}, ${user.key}, ${user.passwordHash}, ${user.now} WHERE ${looksFree('user', user)}
    ON CONFLICT (username_key) DO NOTHING RETURNING id, username`);
  if (!created) return { outcome: 'taken' };
  yield* addLooks('user', created.id, user.looks);
  return { outcome: 'created', user: created };
}

export function* findUser(key: string): Steps<(UserRow & { passwordHash: string }) | undefined> {
  return yield* first(sql`
    SELECT id, username, password_hash AS "passwordHash" FROM users WHERE username_key = ${key}`);
}

export function* createSession(session: {
  userId: number;
  userAgent: string;
  refreshHash: string;
  expiresAt: number;
  now: number;
}): Steps<{ sessionId: number }> {
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO sessions (user_id, created_at, last_used_at, user_agent, expires_at)
    VALUES (${session.userId}, ${session.now}, ${session.now}, ${session.userAgent}, ${session.expiresAt})
    RETURNING id`);
  if (!created) throw new Error('a session was inserted and returned no id');
  yield* addRefreshToken({ hash: session.refreshHash, sessionId: created.id, expiresAt: session.expiresAt });
  return { sessionId: created.id };
}

function* addRefreshToken(token: { hash: string; sessionId: number; expiresAt: number }): Steps<void> {
  yield* run(sql`
    INSERT INTO refresh_tokens (hash, session_id, expires_at)
    VALUES (${token.hash}, ${token.sessionId}, ${token.expiresAt})`);
}

interface RefreshToken extends SessionOwner {
  expiresAt: number;
  exchangedAt: number | null;
  retryKey: string | null;
  revokedAt: number | null;
}

function* findRefreshToken(hash: string): Steps<RefreshToken | undefined> {
  return yield* first(sql`
    SELECT token.session_id AS "sessionId", token.expires_at AS "expiresAt", token.exchanged_at AS "exchangedAt",
      token.retry_key AS "retryKey", session.revoked_at AS "revokedAt", owner.id AS "userId", owner.username
    FROM refresh_tokens AS token
      JOIN sessions AS session ON session.id = token.session_id
      JOIN users AS owner ON owner.id = session.user_id
    WHERE token.hash = ${hash}`);
}

/**
 * Rotation, with reuse as the sign of theft (RFC 9700 §4.14). The token is spent by one conditional UPDATE: of several
 * racers only one changes the row, at any isolation level.
 */
export function* exchangeRefreshToken(exchange: Exchange): Steps<ExchangeOutcome> {
  const isSpent = yield* spend(exchange);
  const token = yield* findRefreshToken(exchange.hash);
  if (!token) return { outcome: 'invalid' };
  const { sessionId, userId, username } = token;
  const exchanged = { outcome: 'exchanged', sessionId, userId, username } as const;

  if (isSpent) {
    yield* succeed(sessionId, exchange);
    return exchanged;
  }
  if (token.revokedAt !== null || token.expiresAt <= exchange.now || token.exchangedAt === null)
    return { outcome: 'invalid' };
  if (token.retryKey !== null && token.retryKey === exchange.retryKey) {
    // The key proves that this is a repeat. Until the successor is used, the first response may never have arrived.
    const successor = yield* findRefreshToken(exchange.successorHash);
    return successor?.exchangedAt === null ? exchanged : { outcome: 'invalid' };
  }
  const ageMs = exchange.now - token.exchangedAt;
  if (ageMs <= RACE_WINDOW_MS) return { outcome: 'invalid' };
  return (yield* revoke(sessionId, exchange.now)) ? { outcome: 'theft', sessionId } : { outcome: 'invalid' };
}

/** Marks a live token as exchanged; false when it is not live, or another exchange came first. */
function* spend({ hash, retryKey, now }: Exchange): Steps<boolean> {
  const spent = yield* first(sql`
    UPDATE refresh_tokens SET exchanged_at = ${now}, retry_key = ${retryKey}
    WHERE hash = ${hash} AND exchanged_at IS NULL AND expires_at > ${now}
      AND EXISTS (SELECT 1 FROM sessions WHERE id = session_id AND revoked_at IS NULL)
    RETURNING hash`);
  return spent !== undefined;
}

function* succeed(sessionId: number, exchange: Exchange): Steps<void> {
  const { successorHash, successorExpiresAt: expiresAt, now } = exchange;
  yield* addRefreshToken({ hash: successorHash, sessionId, expiresAt });
  yield* run(
    sql`UPDATE sessions SET last_used_at = ${now}, expires_at = ${expiresAt} WHERE id = ${sessionId}`,
  );
}

/** True for the one caller that revokes it. */
function* revoke(sessionId: number, now: number): Steps<boolean> {
  const revoked = yield* first(sql`
    UPDATE sessions SET revoked_at = ${now} WHERE id = ${sessionId} AND revoked_at IS NULL RETURNING id`);
  return revoked !== undefined;
}

export function* revokeSession(of: {
  refreshHash: string;
  now: number;
}): Steps<{ sessionId: number } | undefined> {
  return yield* first(sql`
    UPDATE sessions SET revoked_at = ${of.now}
    WHERE revoked_at IS NULL AND id IN (
      SELECT session_id FROM refresh_tokens
      WHERE hash = ${of.refreshHash} AND exchanged_at IS NULL AND expires_at > ${of.now})
    RETURNING id AS "sessionId"`);
}

export function* sessionsRevokedSince(time: number): Steps<{ sessionId: number }[]> {
  return yield* all(sql`SELECT id AS "sessionId" FROM sessions WHERE revoked_at >= ${time}`);
}

/** Deletes at most `limit` rows of a kind; true when there may be more. */
export function* purgeAccounts({ now, limit }: { now: number; limit: number }): Steps<boolean> {
  const tokens = yield* all(sql`
    DELETE FROM refresh_tokens
    WHERE hash IN (SELECT hash FROM refresh_tokens WHERE expires_at < ${now} LIMIT ${limit}) RETURNING hash`);
  const sessions = yield* all(sql`
    DELETE FROM sessions
    WHERE id IN (SELECT id FROM sessions WHERE expires_at < ${now - KEEP_SESSIONS_MS} LIMIT ${limit}) RETURNING id`);
  return tokens.length === limit || sessions.length === limit;
}
