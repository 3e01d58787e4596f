/** All that access depends on, read in one transaction with what it decides. */
import type { UserRole } from '../../../../protocol/people.ts';
import { verdictOn } from '../../../rules/standing.ts';
import type { MembershipRow, Reader, Standing } from '../store.ts';
import { ABSENT, ROOM_COLUMNS, roomOf, type StoredRoom } from './room-rows.ts';
import { list, type Sql, sql, withShortcut } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

/** As stored: the two databases have no boolean in common. */
export type StoredMembership = Omit<MembershipRow, 'starred' | 'hidden'> & {
  starred: number;
  hidden: number;
};

export const MEMBERSHIP_COLUMNS = sql`
  members.room_id AS "roomId", members.user_id AS "userId", members.role, members.joined_at AS "joinedAt",
  members.left_at AS "leftAt", members.notify, members.notify_muted_until AS "notifyMutedUntil", members.threads,
  members.starred, members.hidden, members.read_seq AS "readSeq", members.read_set AS "readSet",
  members.silenced_until AS "silencedUntil", members.banned_until AS "bannedUntil", members.user_seq AS "userSeq"`;

/** The memberships that `which` selects; it continues the statement after `FROM members`. */
export function* selectMemberships(which: Sql): Steps<MembershipRow[]> {
  const rows = yield* all<StoredMembership>(sql`SELECT ${MEMBERSHIP_COLUMNS} FROM members ${which}`);
  return rows.map(membershipOf);
}

/** A membership of a row that may have more. The fields are written out, as in `roomOf`. */
export function membershipOf(row: StoredMembership): MembershipRow {
  return {
    roomId: row.roomId,
    userId: row.userId,
    role: row.role,
    joinedAt: row.joinedAt,
    leftAt: row.leftAt,
    notify: row.notify,
    notifyMutedUntil: row.notifyMutedUntil,
    threads: row.threads,
    starred: row.starred === 1,
    hidden: row.hidden === 1,
    readSeq: row.readSeq,
    readSet: row.readSet,
    silencedUntil: row.silencedUntil,
    bannedUntil: row.bannedUntil,
    userSeq: row.userSeq,
  };
}

/** A user's row about a room, also after they have left. */
export function* findMembership({
  roomId,
  userId,
}: {
  roomId: number;
  userId: number;
}): Steps<MembershipRow | null> {
  const select = sql`
    SELECT ${MEMBERSHIP_COLUMNS} FROM members WHERE user_id = ${userId} AND room_id = ${roomId}`;
  const row = yield* first<StoredMembership>(
    withShortcut(select, { kind: 'known', key: `member ${userId} ${roomId}` }),
  );
  return row ? membershipOf(row) : null;
}

/** All that `findStanding` reads, in one row. Null where there is no such room, or no row about it. */
type StoredStanding = { userRole: UserRole } & StoredRoom & StoredMembership;

/**
 * Undefined when there is no such live user: somebody who is suspended or removed has no standing, so what was on its
 * way is refused. For a room that is not there, the standing of a stranger in one that is: `verdictOn` finds it hidden
 * after the same work, so the time of a refusal does not tell the one from the other.
 */
export function* findStanding(of: { roomId: number; userId: number }): Steps<Standing | undefined> {
  const [row] = yield* selectStandings(of.userId, [of.roomId]);
  return row && toStanding(row);
}

/** By room, in one statement. Rooms that are not there have none. */
export function* findStandings(userId: number, roomIds: readonly number[]): Steps<Map<number, Standing>> {
  if (roomIds.length === 0) return new Map();
  const found = yield* selectStandings(userId, roomIds);
  return new Map(found.flatMap((row) => (row.id === null ? [] : [[row.id, toStanding(row)]])));
}

/** One row without a room where none of them is there. A membership is looked for in any case. */
function selectStandings(userId: number, roomIds: readonly number[]): Steps<StoredStanding[]> {
  return all(sql`
    SELECT person.role AS "userRole", ${ROOM_COLUMNS}, ${MEMBERSHIP_COLUMNS}
    FROM users AS person
      LEFT JOIN rooms ON rooms.id IN (${list(roomIds)})
      LEFT JOIN members ON members.room_id = COALESCE(rooms.id, 0) AND members.user_id = person.id
    WHERE person.id = ${userId} AND person.suspended_at IS NULL`);
}

function toStanding(stored: StoredStanding): Standing {
  const isAbsent = stored.id === null;
  return {
    room: roomOf(isAbsent ? ABSENT : stored),
    member: stored.roomId === null ? null : membershipOf(stored),
    userRole: stored.userRole,
    isAbsent,
  };
}

/**
 * The room's head, when the reader may read the room: asked for before anything else of the room is read. Without a
 * reader, of any room.
 */
export function* findReadableHead({
  roomId,
  reader,
}: {
  roomId: number;
  reader?: Reader | undefined;
}): Steps<{ seq: number } | undefined> {
  if (!reader) return yield* first<{ seq: number }>(sql`SELECT seq FROM rooms WHERE id = ${roomId}`);
  const standing = yield* findStanding({ roomId, userId: reader.userId });
  return standing && verdictOn('read', standing, reader.now) === 'allowed' ? standing.room : undefined;
}

/** Those of the users who may act: neither suspended nor removed. */
export function* findLive(userIds: readonly number[]): Steps<Set<number>> {
  if (userIds.length === 0) return new Set();
  const live = yield* all<{ id: number }>(
    sql`SELECT id FROM users WHERE id IN (${list([...new Set(userIds)])}) AND suspended_at IS NULL`,
  );
  return new Set(live.map(({ id }) => id));
}

/** Whether the user may read the room. */
export function* mayRead(of: { roomId: number; userId: number }, now: number): Steps<boolean> {
  const standing = yield* findStanding(of);
  return standing !== undefined && verdictOn('read', standing, now) === 'allowed';
}

/** A condition: these users are in a room together. */
export function shareRoom(userId: number, other: Sql): Sql {
  return sql`EXISTS (
    SELECT 1 FROM members AS own JOIN members AS other ON other.room_id = own.room_id
    WHERE own.user_id = ${userId} AND own.left_at IS NULL AND other.user_id = ${other} AND other.left_at IS NULL)`;
}
