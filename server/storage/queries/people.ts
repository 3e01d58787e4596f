/** Profiles, blocks and a user's own sessions. */
import { USERS_PAGE } from '../../../protocol/limits.ts';
import type { PeopleReads, PeopleWrites, ProfileChange, ProfileRow } from '../store.ts';
import { list, type Sql, sql } from './sql.ts';
import { shareRoom } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

/** Of a user, as `ProfileRow` has them. */
const COLUMNS = sql`id, username, version, kind, role, display_name AS "displayName", status,
  time_zone AS "timeZone", suspended_at AS "suspendedAt"`;
/** The most sessions that a user is shown: the latest used. */
const SESSIONS_SHOWN = 200;

type OwnRow = ProfileRow & { settings: string };

export const peopleWrites: AsSteps<PeopleWrites> = {
  *changeProfile(change) {
    const before = yield* findOwn(change.userId);
    if (!before) return undefined;
    const shown = shownChanges(change, before);
    const grown = shown.length === 0 ? sql`version = version` : sql`version = version + 1`;
    const set = shown.reduce((list, value) => sql`${list}, ${value}`, grown);
    const after = yield* first<OwnRow>(sql`
      UPDATE users SET ${set}, settings = ${change.settings ?? before.settings}
      WHERE id = ${change.userId} RETURNING ${COLUMNS}, settings`);
    return after && withSettings(after);
  },

  *setBlock({ userId, blockedId, isBlocked }) {
    if (userId === blockedId) return false;
    const blocked = yield* first(sql`SELECT id FROM users WHERE id = ${blockedId}`);
    if (!blocked) return false;
    const row = yield* first<{ removed: number }>(
      sql`SELECT removed FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId}`,
    );
    if ((row?.removed === 0) === isBlocked) return undefined;
    const userSeq = yield* nextUserSeq(userId);
    yield* run(sql`
      INSERT INTO blocks (user_id, blocked_id, user_seq, removed)
      VALUES (${userId}, ${blockedId}, ${userSeq}, ${isBlocked ? 0 : 1})
      ON CONFLICT (user_id, blocked_id) DO UPDATE SET user_seq = excluded.user_seq, removed = excluded.removed`);
    return { userSeq };
  },

  *endSession({ userId, sessionId, now }) {
    const ended = yield* first(sql`
      UPDATE sessions SET revoked_at = ${now}
      WHERE id = ${sessionId} AND user_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now}
      RETURNING id`);
    return ended !== undefined;
  },

  /** It reads other rows than it writes, so it holds only where commands are serializable, as in one writer. */
  *grantAdmin({ userId, isForced }) {
    const allowed = isForced ? sql`true` : sql`NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin')`;
    const granted = yield* first(sql`
      UPDATE users SET role = 'admin', version = version + 1
      WHERE id = ${userId} AND role <> 'admin' AND ${allowed} RETURNING id`);
    return granted !== undefined;
  },
};

export const peopleReads: AsSteps<PeopleReads> = {
  *profiles(ids) {
    const wanted = ids.slice(0, USERS_PAGE);
    if (wanted.length === 0) return [];
    return yield* all(sql`SELECT ${COLUMNS} FROM users WHERE id IN (${list(wanted)}) ORDER BY id`);
  },

  *searchPeople({ keyPart, limit, amongPeopleOf }) {
    const among = amongPeopleOf === undefined ? sql`true` : shareRoom(amongPeopleOf, sql`users.id`);
    return yield* all(sql`
      SELECT ${COLUMNS} FROM users
      WHERE (${contains(sql`username_key`, keyPart)} OR ${contains(sql`display_key`, keyPart)}) AND ${among}
      ORDER BY username_key LIMIT ${limit}`);
  },

  *ownProfile(userId) {
    const row = yield* findOwn(userId);
    return row && withSettings(row);
  },

  *blockedBy(userId) {
    const rows = yield* all<{ id: number }>(sql`
      SELECT blocked_id AS id FROM blocks WHERE user_id = ${userId} AND removed = 0 ORDER BY blocked_id`);
    return rows.map(({ id }) => id);
  },

  *liveSessions({ userId, now }) {
    return yield* all(sql`
      SELECT id AS "sessionId", created_at AS "createdAt", last_used_at AS "lastUsedAt", user_agent AS "userAgent"
      FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now}
      ORDER BY last_used_at DESC, id DESC LIMIT ${SESSIONS_SHOWN}`);
  },

  *hasAdmin() {
    return (yield* first(sql`SELECT id FROM users WHERE role = 'admin' LIMIT 1`)) !== undefined;
  },
};

function* findOwn(userId: number): Steps<OwnRow | undefined> {
  return yield* first(sql`SELECT ${COLUMNS}, settings FROM users WHERE id = ${userId}`);
}

function withSettings({ settings, ...profile }: OwnRow): { profile: ProfileRow; settings: string } {
  return { profile, settings };
}

/** An assignment for each thing that others see, is given, and differs. */
function shownChanges(change: ProfileChange, before: OwnRow): Sql[] {
  const { displayName, status, timeZone } = change;
  const values: Sql[] = [];
  if (displayName !== undefined && displayName.name !== before.displayName)
    values.push(sql`display_name = ${displayName.name}, display_key = ${displayName.key}`);
  if (status !== undefined && status !== before.status) values.push(sql`status = ${status}`);
  if (timeZone !== undefined && timeZone !== before.timeZone) values.push(sql`time_zone = ${timeZone}`);
  return values;
}

/** "Contains", taken literally by both databases: LIKE has wildcards, and SQLite's LIKE ignores case. */
function contains(column: Sql, part: string): Sql {
  return part === '' ? sql`true` : sql`replace(${column}, ${part}, '') <> ${column}`;
}
