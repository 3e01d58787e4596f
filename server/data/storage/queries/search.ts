/** What a search reads besides the index. */
import { verdictOn } from '../../../rules/standing.ts';
import type { MessagePlace, Reader, SearchReads } from '../store.ts';
import { findMessages, selectMessages } from './message-rows.ts';
import { list, sql } from './sql.ts';
import { findStandings } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

const FOUND_MAX = 200;
/** Rooms that one statement looks at. */
const STANDINGS = 500;

interface ScopeRoom {
  roomId: number;
  name: string;
  isMember: number;
}

export const searchReads: AsSteps<SearchReads> = {
  *searchScope({ userId, now, usernames, roomNames, withPublic }) {
    const own = yield* first<{ timeZone: string | null }>(
      sql`SELECT time_zone AS "timeZone" FROM users WHERE id = ${userId}`,
    );
    const mine = yield* all<ScopeRoom>(sql`
      SELECT rooms.id AS "roomId", rooms.name, 1 AS "isMember"
      FROM members JOIN rooms ON rooms.id = members.room_id
      WHERE members.user_id = ${userId} AND members.left_at IS NULL ORDER BY rooms.id`);
    const known = new Set(mine.map(({ roomId }) => roomId));
    const open = yield* openRooms(roomNames, withPublic);
    const others = yield* readableOf(
      open.filter(({ roomId }) => !known.has(roomId)),
      { userId, now },
    );
    const rooms = [...mine, ...others];
    return {
      rooms: rooms.map(({ isMember, ...room }) => ({ ...room, isMember: isMember === 1 })),
      people: yield* peopleNamed(userId, usernames),
      timeZone: own?.timeZone ?? null,
    };
  },

  *foundMessages({ userId, now, places }) {
    const asked = places.slice(0, FOUND_MAX);
    if (asked.length === 0) return [];
    const standings = yield* findStandings(userId, [...new Set(asked.map(({ roomId }) => roomId))]);
    const readable = asked.filter(({ roomId }) => {
      const standing = standings.get(roomId);
      return standing !== undefined && verdictOn('read', standing, now) === 'allowed';
    });
    if (readable.length === 0) return [];
    const found = [...(yield* findMessages(readable)).values()];
    const blocked = yield* all<{ id: number }>(
      sql`SELECT blocked_id AS id FROM blocks WHERE user_id = ${userId} AND removed = 0`,
    );
    const saved = yield* all<{ id: number }>(sql`
      SELECT message_id AS id FROM saved WHERE user_id = ${userId} AND removed_at IS NULL
        AND message_id IN (${list(readable.map(({ messageId }) => messageId))})`);
    const [hidden, kept] = [idsOf(blocked), idsOf(saved)];
    return found
      .filter(({ notice, facts, userId: authorId }) => {
        return notice === null && (facts?.deletedAt ?? null) === null && !hidden.has(authorId);
      })
      .sort((one, other) => other.id - one.id)
      .map((message) => ({ message, isSaved: kept.has(message.id) }));
  },

  *savedPlaces({ userId, order, beyondId, limit }) {
    const isNewest = order === 'newest';
    const isBeyond = isNewest ? sql`message_id < ${beyondId}` : sql`message_id > ${beyondId}`;
    return yield* all<MessagePlace>(sql`
      SELECT message_id AS "messageId", room_id AS "roomId" FROM saved
      WHERE user_id = ${userId} AND removed_at IS NULL AND ${isBeyond}
      ORDER BY message_id ${isNewest ? sql`DESC` : sql`ASC`} LIMIT ${limit}`);
  },

  *lastMessageId() {
    // The ids of messages are sorted within each room only, on PostgreSQL.
    const row = yield* first<{ id: number | null }>(sql`
      SELECT max((SELECT id FROM messages WHERE room_id = rooms.id ORDER BY id DESC LIMIT 1)) AS id FROM rooms`);
    return row?.id ?? 0;
  },

  *roomTexts({ roomId, fromId, beforeId, limit }) {
    return yield* selectMessages(
      roomId,
      sql`AND message.id >= ${fromId} AND message.id < ${beforeId} ORDER BY message.id LIMIT ${limit}`,
    );
  },
};

function* openRooms(names: readonly string[], withAll: boolean): Steps<ScopeRoom[]> {
  if (!withAll && names.length === 0) return [];
  const which = withAll ? sql`true` : sql`name_key IN (${list(names)})`;
  return yield* all<ScopeRoom>(sql`
    SELECT id AS "roomId", name, 0 AS "isMember" FROM rooms
    WHERE kind = 'public' AND ${which} ORDER BY id`);
}

/** The index is not asked for rooms that the reader may not read: how long that takes could tell of them. */
function* readableOf(rooms: readonly ScopeRoom[], { userId, now }: Reader): Steps<ScopeRoom[]> {
  const readable: ScopeRoom[] = [];
  for (let start = 0; start < rooms.length; start += STANDINGS) {
    const some = rooms.slice(start, start + STANDINGS);
    const standings = yield* findStandings(
      userId,
      some.map(({ roomId }) => roomId),
    );
    for (const room of some) {
      const standing = standings.get(room.roomId);
      if (standing !== undefined && verdictOn('read', standing, now) === 'allowed') readable.push(room);
    }
  }
  return readable;
}

function* peopleNamed(userId: number, keys: readonly string[]) {
  if (keys.length === 0) return [];
  const people = yield* all<{ userId: number; usernameKey: string }>(sql`
    SELECT id AS "userId", username_key AS "usernameKey" FROM users WHERE username_key IN (${list(keys)}) ORDER BY id`);
  if (people.length === 0) return [];
  const dms = yield* all<{ userId: number; roomId: number }>(sql`
    SELECT other.user_id AS "userId", other.room_id AS "roomId"
    FROM members AS own
      JOIN rooms ON rooms.id = own.room_id AND rooms.kind = 'dm'
      JOIN members AS other ON other.room_id = own.room_id
    WHERE own.user_id = ${userId} AND own.left_at IS NULL
      AND other.user_id IN (${list(people.map((person) => person.userId))})
    ORDER BY other.room_id`);
  return people.map((person) => ({
    ...person,
    dmIds: dms.filter((dm) => dm.userId === person.userId).map(({ roomId }) => roomId),
  }));
}

function idsOf(rows: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
