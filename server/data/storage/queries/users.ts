/** Users, sessions, refresh tokens, and the tickets that were spent. */
import type {
  Exchange,
  NewSession,
  NewUser,
  SessionOwner,
  UserReads,
  UserRow,
  UserWrites,
} from '../store.ts';
import { findRegistration } from './administration.ts';
import { addAudit } from './audit.ts';
import { findByCode, takeUse } from './invites.ts';
import { addLooks, looksFree } from './looks.ts';
import { NAME_FORM } from './name-forms.ts';
import { endPushOf } from './push.ts';
import { isLiveServerInvite } from './server-invites.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { putWords } from './user-words.ts';

/** An old token that comes back within this time is a race between tabs; later it is theft. */
const RACE_WINDOW_MS = 10_000;

export const userWrites: AsSteps<UserWrites> = {
  *createUser(user) {
    const { username, key, passwordHash, now } = user;
    if (!(yield* mayRegister(user))) return { outcome: 'closed' };
    const created = yield* first<UserRow>(sql`
      INSERT INTO users (username, username_key, name_form, password_hash, created_at)
      SELECT ${username}, ${key}, ${NAME_FORM}, ${passwordHash}, ${now} WHERE ${looksFree('user', user)}
      ON CONFLICT (username_key) DO NOTHING RETURNING id, username`);
    if (!created) return { outcome: 'taken' };
    yield* addLooks('user', created.id, user);
    yield* putWords(created.id, [created.username]);
    const isInvited = user.inviteHash !== undefined && (yield* takeUse(user.inviteHash, now));
    if (user.address !== undefined)
      yield* run(sql`
        INSERT INTO registrations (user_id, address, at) VALUES (${created.id}, ${user.address}, ${now})`);
    if (user.isByOperator)
      yield* addAudit({ action: 'user_created', actorId: null, userId: created.id, now });
    return { outcome: 'created', user: created, ...(isInvited && { isInvited }) };
  },

  *createSession(session) {
    const isSame = yield* first(sql`
      SELECT id FROM users WHERE id = ${session.userId} AND password_hash = ${session.passwordHash}`);
    if (!isSame) return undefined;
    const sessionId = yield* addSession(session);
    return sessionId === undefined ? undefined : { sessionId };
  },

  *changePassword({ userId, from, to, keptId, now }) {
    const changed = yield* first(sql`
      UPDATE users SET password_hash = ${to}
      WHERE id = ${userId} AND password_hash = ${from} AND suspended_at IS NULL RETURNING id`);
    if (!changed) return undefined;
    yield* run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
    const ended = yield* all<{ id: number }>(sql`
      UPDATE sessions SET revoked_at = ${now}
      WHERE user_id = ${userId} AND id <> ${keptId} AND revoked_at IS NULL AND expires_at > ${now} RETURNING id`);
    for (const { id } of ended) yield* endPushOf(id);
    return { ended: ended.map(({ id }) => id) };
  },

  /**
   * Rotation, with reuse as the sign of theft (RFC 9700 §4.14). The token is spent by one conditional UPDATE: of
   * several racers only one changes the row, at any isolation level.
   */
  *exchangeRefreshToken(exchange) {
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
    return (yield* revoke(sessionId, exchange.now))
      ? { outcome: 'theft', sessionId }
      : { outcome: 'invalid' };
  },

  *revokeSession(of) {
    const revoked = yield* first<{ sessionId: number }>(sql`
      UPDATE sessions SET revoked_at = ${of.now}
      WHERE revoked_at IS NULL AND id IN (
        SELECT session_id FROM refresh_tokens
        WHERE hash = ${of.refreshHash} AND exchanged_at IS NULL AND expires_at > ${of.now})
      RETURNING id AS "sessionId"`);
    if (revoked) yield* endPushOf(revoked.sessionId);
    return revoked;
  },

  *spendTicket({ jti, expiresAt }) {
    const spent = yield* first(sql`
      INSERT INTO spent_tickets (jti, expires_at) VALUES (${jti}, ${expiresAt})
      ON CONFLICT (jti) DO NOTHING RETURNING jti`);
    return spent !== undefined;
  },
};

export const userReads: AsSteps<UserReads> = {
  *findUser(key) {
    return yield* first(sql`
      SELECT id, username, password_hash AS "passwordHash" FROM users WHERE username_key = ${key}`);
  },

  *sessionsRevokedSince(time) {
    return yield* all(sql`SELECT id AS "sessionId" FROM sessions WHERE revoked_at >= ${time}`);
  },

  *isTicketSpent(jti) {
    return (yield* first(sql`SELECT jti FROM spent_tickets WHERE jti = ${jti}`)) !== undefined;
  },
};

function* mayRegister({ inviteHash, isByOperator = false, now }: NewUser): Steps<boolean> {
  if (isByOperator) return true;
  const registration = yield* findRegistration();
  if (registration === 'open') return true;
  if (registration === 'closed' || inviteHash === undefined) return false;
  const invite = yield* first(sql`
    SELECT id FROM invites WHERE code_hash = ${inviteHash} AND ${isLiveServerInvite(now)}`);
  // The newcomer is a member, who sees every public room. A guest cannot give what a guest does not have.
  return invite !== undefined || (yield* findByCode(inviteHash, now))?.isByGuest === false;
}

/** Undefined: the user is suspended, or is not there. */
export function* addSession(session: Omit<NewSession, 'passwordHash'>): Steps<number | undefined> {
  const { userId, userAgent, refreshHash, expiresAt, now } = session;
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO sessions (user_id, created_at, last_used_at, user_agent, expires_at)
    SELECT id, ${now}, ${now}, ${userAgent}, ${expiresAt} FROM users
    WHERE id = ${userId} AND suspended_at IS NULL RETURNING id`);
  if (created) yield* addRefreshToken({ hash: refreshHash, sessionId: created.id, expiresAt });
  return created?.id;
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
  if (revoked) yield* endPushOf(sessionId);
  return revoked !== undefined;
}
