/** A user's own: the list of rooms, and the log. */
import { EXCERPT_START } from '../../../../protocol/limits.ts';
import { filesIn } from '../../../rules/attached-files.ts';
import type { EntryRow, LastTextRow, MemberReads, UnreadRow } from '../store.ts';
import { markReads } from './marks.ts';
import { TEXT } from './message-rows.ts';
import { isBlockedIn } from './message-work.ts';
import { ROOM_COLUMNS, roomOf, type StoredRoom } from './room-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import {
  findStanding,
  MEMBERSHIP_COLUMNS,
  membershipOf,
  type StoredMembership,
  shareRoom,
} from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

type Lists = 'standing' | 'entries' | 'shareRoom' | 'isBlockedIn';

export const listReads: AsSteps<Pick<MemberReads, Lists>> = {
  standing: findStanding,
  isBlockedIn,

  *entries({ userId, roomIds, maxDms, counted = 0 }) {
    if (roomIds?.length === 0) return [];
    const which = roomIds
      ? sql`members.room_id IN (${list([...new Set(roomIds)])})`
      : isListed(userId, maxDms);
    const rows = yield* selectListed(userId, which);
    const dms = rows.flatMap(({ id, kind }) => (kind === 'dm' ? [id] : []));
    const people = dms.length === 0 ? null : byRoom(yield* selectPeople(userId, list(dms)));
    const counts = counted === 0 ? null : yield* countLatest(userId, rows, counted);
    return rows.map((row) => ({
      room: roomOf(row),
      member: membershipOf(row),
      last: row.lastSeq === null ? null : lastOf(row),
      count: counts?.get(row.id) ?? null,
      people: people?.get(row.id)?.map(({ roomId: _, ...person }) => person) ?? [],
    }));
  },

  *shareRoom({ userId, otherId }) {
    return (yield* first(sql`SELECT 1 WHERE ${shareRoom(userId, sql`${otherId}`)}`)) !== undefined;
  },
};

/** A condition on `members`: rooms of any kind, but of the direct conversations only the latest that are not hidden. */
function isListed(userId: number, maxDms: number): Sql {
  return sql`(rooms.kind <> 'dm' OR members.room_id IN (
    SELECT shown.id FROM members AS mine JOIN rooms AS shown ON shown.id = mine.room_id
    WHERE mine.user_id = ${userId} AND mine.hidden = 0 AND shown.kind = 'dm'
    ORDER BY shown.last_at DESC, shown.id DESC LIMIT ${maxDms}))`;
}

/** A membership, its room, and the room's latest text, if it has one. A deleted one has no content. */
type Listed = StoredMembership &
  StoredRoom &
  (
    | {
        lastSeq: number;
        lastUserId: number;
        lastUsername: string;
        lastStart: string;
        lastAt: number;
        /** What is stored with it, where it has files. */
        lastFiles: string | null;
      }
    | { lastSeq: null }
  );

/** In JSON that people's words are in, too: there, their quotation marks are escaped. */
const HAS_FILES = '%"files":[%';

/** One statement: a list is read whenever a socket comes back. */
function* selectListed(userId: number, which: Sql): Steps<Listed[]> {
  return yield* all(sql`
    SELECT ${MEMBERSHIP_COLUMNS}, ${ROOM_COLUMNS}, text.seq AS "lastSeq", text.user_id AS "lastUserId",
      author.username AS "lastUsername", substr(text.content, 1, ${EXCERPT_START}) AS "lastStart",
      CASE WHEN text.extra LIKE ${HAS_FILES} THEN text.extra END AS "lastFiles",
      text.created_at AS "lastAt"
    FROM members JOIN rooms ON rooms.id = members.room_id
      LEFT JOIN messages AS text ON text.room_id = rooms.id AND text.seq = (
        SELECT seq FROM messages
        WHERE room_id = rooms.id AND kind = ${TEXT} AND thread_id IS NULL
        ORDER BY id DESC LIMIT 1)
      LEFT JOIN users AS author ON author.id = text.user_id
    WHERE members.user_id = ${userId} AND members.left_at IS NULL AND ${which}
    ORDER BY members.room_id`);
}

function lastOf(row: Extract<Listed, { lastSeq: number }>): LastTextRow {
  const {
    lastSeq: seq,
    lastUserId: userId,
    lastUsername: username,
    lastStart: start,
    lastAt: createdAt,
    lastFiles,
  } = row;
  return { seq, userId, username, start, createdAt, files: filesIn(lastFiles).length };
}

/** The counts of the rooms with the latest texts, by room. */
function* countLatest(
  userId: number,
  rows: readonly Listed[],
  counted: number,
): Steps<Map<number, UnreadRow>> {
  const lastAt = (row: Listed) => (row.lastSeq === null ? 0 : row.lastAt);
  const latest = [...rows].sort((one, other) => lastAt(other) - lastAt(one)).slice(0, counted);
  const counts = yield* markReads.unread({ userId, roomIds: latest.map(({ roomId }) => roomId) });
  return new Map(counts.map((count) => [count.roomId, count]));
}

/** The others in direct conversations; in notes, the user. */
function* selectPeople(
  userId: number,
  roomIds: Sql,
): Steps<(EntryRow['people'][number] & { roomId: number })[]> {
  return yield* all(sql`
    SELECT room.id AS "roomId", person.id AS "userId", person.username, person.display_name AS "displayName"
    FROM rooms AS room
      JOIN members AS member ON member.room_id = room.id AND member.left_at IS NULL
      JOIN users AS person ON person.id = member.user_id
    WHERE room.id IN (${roomIds}) AND room.kind = 'dm' AND (member.user_id <> ${userId} OR room.members = 1)
    ORDER BY room.id, person.id`);
}

function byRoom<Row extends { roomId: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const grouped = new Map<number, Row[]>();
  for (const row of rows) {
    const sameRoom = grouped.get(row.roomId);
    if (sameRoom) sameRoom.push(row);
    else grouped.set(row.roomId, [row]);
  }
  return grouped;
}
