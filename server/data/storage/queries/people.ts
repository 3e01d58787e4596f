/** Profiles, blocks and a user's own sessions. */
import { USERS_PAGE } from '../../../../protocol/limits.ts';
import type {
  OwnProfile,
  PeopleQuery,
  PeopleReads,
  PeopleWrites,
  ProfileChange,
  ProfileRow,
} from '../store.ts';
import { dropPictures, takePicture } from './pictures.ts';
import { ALL, type Piece, type Scanned } from './pieces.ts';
import { endPushOf } from './push.ts';
import { list, type Sql, sql } from './sql.ts';
import { findLive } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';
import { beginsWith, putWords } from './user-words.ts';

/** The columns of a user, as `ProfileRow` has them. */
const COLUMNS = sql`id, username, version, kind, role, display_name AS "displayName", status, avatar_key AS "avatarKey",
  time_zone AS "timeZone", suspended_at AS "suspendedAt"`;
/** The most sessions that a user is shown: the latest used. */
const SESSIONS_SHOWN = 200;

type OwnRow = ProfileRow & { settings: string };

export const peopleWrites: AsSteps<Omit<PeopleWrites, 'beginSetup' | 'claimSetup'>> = {
  *changeProfile(change) {
    const before = yield* findOwn(change.userId);
    if (!before || before.suspendedAt !== null) return undefined;
    if (!(yield* changeAvatar(change, before))) return undefined;
    const shown = shownChanges(change, before);
    const isShown = shown.length > 0;
    const grown = isShown ? sql`version = version + 1` : sql`version = version`;
    const set = shown.reduce((list, value) => sql`${list}, ${value}`, grown);
    const after = yield* first<OwnRow>(sql`
      UPDATE users SET ${set}, settings = ${mergedSettings(before, change)}
      WHERE id = ${change.userId} RETURNING ${COLUMNS}, settings`);
    if (after && after.displayName !== before.displayName)
      yield* putWords(after.id, [after.username, after.displayName]);
    return after && { ...withSettings(after), isShown };
  },

  *setBlock({ userId, blockedId, isBlocked }) {
    if (userId === blockedId) return false;
    const blocked = yield* first(sql`SELECT id FROM users WHERE id = ${blockedId}`);
    if (!blocked || !(yield* findLive([userId])).has(userId)) return false;
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
    if (ended) yield* endPushOf(sessionId);
    return ended !== undefined;
  },
};

export const peopleReads: AsSteps<Omit<PeopleReads, 'hasAdmin' | 'setupNonce'>> = {
  *profiles(ids) {
    const wanted = ids.slice(0, USERS_PAGE);
    if (wanted.length === 0) return [];
    return yield* all(sql`SELECT ${COLUMNS} FROM users WHERE id IN (${list(wanted)}) ORDER BY id`);
  },

  *searchPeople(query) {
    const found = new Map<number, ProfileRow>();
    let from: PeopleCursor | undefined;
    do {
      const { rows, reached } = yield* searchPeoplePiece({ ...query, scan: ALL, from });
      for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
      from = reached;
    } while (from !== undefined && found.size < query.limit);
    return [...found.values()].slice(0, query.limit);
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
};

function* findOwn(userId: number): Steps<OwnRow | undefined> {
  return yield* first(sql`SELECT ${COLUMNS}, settings FROM users WHERE id = ${userId}`);
}

/** The new picture is taken, and the one before is given up. False: there is no new one. */
function* changeAvatar({ userId, avatarKey }: ProfileChange, before: OwnRow): Steps<boolean> {
  if (avatarKey === undefined || avatarKey === before.avatarKey) return true;
  if (avatarKey !== null && !(yield* takePicture({ key: avatarKey, ownerId: userId, purpose: 'avatar' })))
    return false;
  if (before.avatarKey !== null) yield* dropPictures([before.avatarKey]);
  return true;
}

/** Merged within the transaction: of two changes at once neither is lost. */
function mergedSettings(before: OwnRow, { settings }: ProfileChange): string {
  return settings ? JSON.stringify({ ...JSON.parse(before.settings), ...settings }) : before.settings;
}

function withSettings({ settings, ...profile }: OwnRow): OwnProfile {
  return { profile, settings };
}

/** An assignment for each thing that others see, is given, and differs. */
function shownChanges(change: ProfileChange, before: OwnRow): Sql[] {
  const { displayName, status, timeZone, avatarKey } = change;
  const values: Sql[] = [];
  if (displayName !== undefined && displayName !== before.displayName)
    values.push(sql`display_name = ${displayName}`);
  if (status !== undefined && status !== before.status) values.push(sql`status = ${status}`);
  if (timeZone !== undefined && timeZone !== before.timeZone) values.push(sql`time_zone = ${timeZone}`);
  if (avatarKey !== undefined && avatarKey !== before.avatarKey) values.push(sql`avatar_key = ${avatarKey}`);
  return values;
}

/** Where a search goes on: after a word of a user, or after a member of a room. */
export type PeopleCursor = { word: string; userId: number } | { roomId: number; userId: number };

export type PeoplePiece = Piece<PeopleQuery, PeopleCursor>;

/** A part of `searchPeople`. */
export function* searchPeoplePiece(piece: PeoplePiece): Steps<Scanned<ProfileRow, PeopleCursor>> {
  const { amongPeopleOf } = piece;
  return yield* amongPeopleOf === undefined ? amongAll(piece) : amongPeople(amongPeopleOf, piece);
}

/** Along the index of words. */
function* amongAll({ start, limit, scan, from }: PeoplePiece): Steps<Scanned<ProfileRow, PeopleCursor>> {
  const after = from && 'word' in from ? sql`(word, user_id) > (${from.word}, ${from.userId})` : sql`true`;
  const visited = yield* all<{ word: string; userId: number }>(sql`
    SELECT word, user_id AS "userId" FROM user_words WHERE ${beginsWith(start)} AND ${after}
    ORDER BY word, user_id LIMIT ${scan}`);
  const reached = visited.length < scan ? undefined : visited.at(-1);
  const found: ProfileRow[] = [];
  for (const userId of new Set(visited.map((word) => word.userId))) {
    if (found.length >= limit) break;
    const person = yield* first<ProfileRow>(sql`SELECT ${COLUMNS} FROM users WHERE id = ${userId}`);
    if (person) found.push(person);
  }
  return { rows: found, reached };
}

/**
 * Along the members of one of the user's rooms. Visits nobody else, so the time that a guest's search takes does not
 * depend on people whom the guest may not see.
 */
function* amongPeople(
  viewerId: number,
  { start, limit, scan, from }: PeoplePiece,
): Steps<Scanned<ProfileRow, PeopleCursor>> {
  const place = from && 'roomId' in from ? from : { roomId: 0, userId: 0 };
  const room = yield* first<{ id: number }>(sql`
    SELECT room_id AS id FROM members WHERE user_id = ${viewerId} AND left_at IS NULL AND room_id >= ${place.roomId}
    ORDER BY room_id LIMIT 1`);
  if (!room) return { rows: [], reached: undefined };
  const after = room.id === place.roomId ? place.userId : 0;
  const members = sql`members WHERE room_id = ${room.id} AND left_at IS NULL AND user_id > ${after}`;
  const end = yield* first<{ userId: number }>(
    sql`SELECT user_id AS "userId" FROM ${members} ORDER BY user_id LIMIT 1 OFFSET ${scan - 1}`,
  );
  const until = end ? sql`user_id <= ${end.userId}` : sql`true`;
  const found = yield* all<ProfileRow>(sql`
    SELECT ${COLUMNS} FROM users WHERE id IN (SELECT user_id FROM ${members} AND ${until})
      AND EXISTS (SELECT 1 FROM user_words WHERE user_id = users.id AND ${beginsWith(start)})
    ORDER BY id LIMIT ${limit}`);
  const reached = end ? { roomId: room.id, userId: end.userId } : { roomId: room.id + 1, userId: 0 };
  return { rows: found, reached };
}
