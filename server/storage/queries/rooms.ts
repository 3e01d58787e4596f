/** Rooms, and the roster of a planned restart. */
import type { RoomReads, RoomRow, RoomsQuery, RoomWrites } from '../store.ts';
import { addLooks, looksFree } from './looks.ts';
import { notBuilt } from './not-built.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';

const ROSTER = 'roster';

/** Of a room, as `RoomRow` has them. */
const COLUMNS = sql`id, kind, name, topic, description, emoji, is_default = 1 AS "isDefault", settings,
  archived_at AS "archivedAt", seq, number, members`;

export const roomWrites: AsSteps<RoomWrites> = {
  *createRoom(room) {
    const { name, key, ownerId, now } = room;
    const owner = yield* first(sql`SELECT id FROM users WHERE id = ${ownerId}`);
    if (!owner) return { outcome: 'user_not_found' };
    const created = yield* first<RoomRow>(sql`
      INSERT INTO rooms (name, name_key, search_key, owner_id, seq, created_at)
      SELECT ${name}, ${key}, ${key}, ${ownerId}, 0, ${now} WHERE ${looksFree('room', room)}
      ON CONFLICT (name_key) DO NOTHING RETURNING ${COLUMNS}`);
    if (!created) return { outcome: 'taken' };
    yield* addLooks('room', created.id, room.looks);
    return { outcome: 'created', room: created, userSeq: 0 };
  },

  createDm: notBuilt,
  changeRoom: notBuilt,

  *saveRoster(roster) {
    yield* writeMeta(ROSTER, JSON.stringify(roster));
  },

  *takeRoster() {
    const row = yield* first<{ value: string }>(sql`DELETE FROM meta WHERE key = ${ROSTER} RETURNING value`);
    return row && JSON.parse(row.value);
  },
};

export const roomReads: AsSteps<RoomReads> = {
  *findRoom(id) {
    return yield* first(sql`SELECT ${COLUMNS} FROM rooms WHERE id = ${id}`);
  },

  *listRooms({ limit, beforeId, keyPart }) {
    return yield* all(sql`
      SELECT ${COLUMNS} FROM rooms WHERE ${before(beforeId)} AND ${named(keyPart)} ORDER BY id DESC LIMIT ${limit}`);
  },
};

/** Scans at most this number of rooms. */
export interface SearchPiece extends RoomsQuery {
  scan: number;
}

export interface SearchedPiece {
  rooms: RoomRow[];
  /** The id of the last room that was scanned, to go on before it; undefined when all were scanned. */
  reachedId: number | undefined;
}

/** A part of `listRooms` that takes a bounded time, even if no room matches. */
export function* searchRooms({ limit, beforeId, keyPart, scan }: SearchPiece): Steps<SearchedPiece> {
  const end = yield* first<{ id: number }>(
    sql`SELECT id FROM rooms WHERE ${before(beforeId)} ORDER BY id DESC LIMIT 1 OFFSET ${scan - 1}`,
  );
  const within = end ? sql`id >= ${end.id}` : sql`true`;
  const rooms = yield* all<RoomRow>(sql`
    SELECT ${COLUMNS} FROM rooms WHERE ${before(beforeId)} AND ${within} AND ${named(keyPart)}
    ORDER BY id DESC LIMIT ${limit}`);
  return { rooms, reachedId: end?.id };
}

function before(id: number | undefined): Sql {
  return id === undefined ? sql`true` : sql`id < ${id}`;
}

/** "Contains", taken literally by both databases: LIKE has wildcards, and SQLite's LIKE ignores case. */
function named(keyPart: string | undefined): Sql {
  return keyPart ? sql`replace(name_key, ${keyPart}, '') <> name_key` : sql`true`;
}
