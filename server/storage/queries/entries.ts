/** A user's own: the list of rooms, and the log. */
import type { EntryRow, LastTextRow, MemberReads, RoomRow } from '../store.ts';
import { markReads } from './marks.ts';
import { TEXT } from './messages.ts';
import { selectRooms } from './room-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import { findStanding, selectMemberships, shareRoom } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

/** Of a message, as the start of a text in a list. */
const START_CHARACTERS = 1000;

type Lists = 'standing' | 'entries' | 'userLog' | 'shareRoom';

export const listReads: AsSteps<Pick<MemberReads, Lists>> = {
  standing: findStanding,

  *entries({ userId, roomIds, maxDms, counted = 0 }) {
    if (roomIds?.length === 0) return [];
    const which = roomIds ? sql`room_id IN (${list([...new Set(roomIds)])})` : isListed(userId, maxDms);
    const members = yield* selectMemberships(
      sql`WHERE user_id = ${userId} AND left_at IS NULL AND ${which} ORDER BY room_id`,
    );
    if (members.length === 0) return [];
    const ids = list(members.map(({ roomId }) => roomId));
    const rooms = byId(yield* selectRooms(sql`WHERE id IN (${ids})`), (room) => room.id);
    const lasts = byId(yield* selectLastTexts(ids), (last) => last.roomId);
    const people = byRoom(yield* selectPeople(userId, ids));
    const lastAt = ({ roomId }: { roomId: number }) => lasts.get(roomId)?.createdAt ?? 0;
    const latest = [...members].sort((one, other) => lastAt(other) - lastAt(one)).slice(0, counted);
    const counts = yield* markReads.unread({ userId, roomIds: latest.map(({ roomId }) => roomId) });
    const countOf = byId(counts, (count) => count.roomId);
    return members.flatMap((member): EntryRow[] => {
      const room: RoomRow | undefined = rooms.get(member.roomId);
      if (!room) return [];
      const { roomId: _, ...last } = lasts.get(room.id) ?? { roomId: null };
      const others = (people.get(room.id) ?? []).map(({ roomId: _, ...person }) => person);
      const count = countOf.get(room.id) ?? null;
      return [{ room, member, last: 'seq' in last ? last : null, count, people: others }];
    });
  },

  *userLog({ userId, after, limit }) {
    const log = yield* first<{ seq: number; floor: number }>(
      sql`SELECT seq, floor FROM user_logs WHERE user_id = ${userId}`,
    );
    const members = yield* selectMemberships(
      sql`WHERE user_id = ${userId} AND user_seq > ${after} ORDER BY user_seq LIMIT ${limit}`,
    );
    return { seq: log?.seq ?? 0, floor: log?.floor ?? 0, members };
  },

  *shareRoom({ userId, otherId }) {
    return (yield* first(sql`SELECT 1 WHERE ${shareRoom(userId, sql`${otherId}`)}`)) !== undefined;
  },
};

/** A condition on `members`: rooms of any kind, but of the direct conversations only the latest that are not hidden. */
function isListed(userId: number, maxDms: number): Sql {
  return sql`room_id NOT IN (
    SELECT room.id FROM members AS own JOIN rooms AS room ON room.id = own.room_id
    WHERE own.user_id = ${userId} AND room.kind = 'dm' AND room.id NOT IN (
      SELECT shown.id FROM members AS mine JOIN rooms AS shown ON shown.id = mine.room_id
      WHERE mine.user_id = ${userId} AND mine.hidden = 0 AND shown.kind = 'dm'
      ORDER BY shown.last_at DESC, shown.id DESC LIMIT ${maxDms}))`;
}

function* selectLastTexts(roomIds: Sql): Steps<(LastTextRow & { roomId: number })[]> {
  return yield* all(sql`
    SELECT text.room_id AS "roomId", text.seq, text.user_id AS "userId", author.username,
      substr(text.content, 1, ${START_CHARACTERS}) AS start, text.created_at AS "createdAt"
    FROM rooms AS room
      JOIN messages AS text ON text.room_id = room.id AND text.seq = (
        SELECT seq FROM messages
        WHERE room_id = room.id AND kind = ${TEXT} AND thread_id IS NULL AND deleted_at IS NULL
        ORDER BY seq DESC LIMIT 1)
      JOIN users AS author ON author.id = text.user_id
    WHERE room.id IN (${roomIds})`);
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

function byId<Row>(rows: readonly Row[], idOf: (row: Row) => number): Map<number, Row> {
  return new Map(rows.map((row) => [idOf(row), row]));
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
