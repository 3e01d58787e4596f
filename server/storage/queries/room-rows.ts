/** Rooms as rows. */
import type { RoomRow } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

/** As stored: the two databases have no boolean in common. */
export type StoredRoom = Omit<RoomRow, 'isDefault'> & { isDefault: number };

export const ROOM_COLUMNS = sql`
  rooms.id, rooms.kind, rooms.name, rooms.topic, rooms.description, rooms.emoji, rooms.is_default AS "isDefault",
  rooms.settings, rooms.archived_at AS "archivedAt", rooms.seq, rooms.number, rooms.members`;

/** The rooms that `which` selects; it continues the statement after `FROM rooms`. */
export function* selectRooms(which: Sql): Steps<RoomRow[]> {
  const rows = yield* all<StoredRoom>(sql`SELECT ${ROOM_COLUMNS} FROM rooms ${which}`);
  return rows.map((row) => ({ ...row, isDefault: row.isDefault === 1 }));
}

export function* findRoom(id: number): Steps<RoomRow | undefined> {
  const [room] = yield* selectRooms(sql`WHERE id = ${id}`);
  return room;
}

/** The times and numbers of a room that only its changes need. */
export interface RoomHead {
  /** When its last event happened. */
  lastAt: number;
  /** The number of the last notice that changed the room itself. */
  stateSeq: number;
}

export function* findRoomAndHead(id: number): Steps<(RoomHead & { room: RoomRow }) | undefined> {
  const stored = yield* first<StoredRoom & RoomHead>(sql`
    SELECT ${ROOM_COLUMNS}, rooms.last_at AS "lastAt", rooms.state_seq AS "stateSeq" FROM rooms WHERE id = ${id}`);
  if (!stored) return undefined;
  const { lastAt, stateSeq, ...room } = stored;
  return { room: { ...room, isDefault: room.isDefault === 1 }, lastAt, stateSeq };
}
