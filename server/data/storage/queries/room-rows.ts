/** Rooms as rows. */
import type { RoomRow } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

/** As stored: the two databases have no boolean in common. */
export type StoredRoom = Omit<RoomRow, 'isDefault'> & { isDefault: number };

export const ROOM_COLUMNS = sql`
  rooms.id, rooms.kind, rooms.name, rooms.topic, rooms.description, rooms.emoji, rooms.hue,
  rooms.is_default AS "isDefault", rooms.settings, rooms.archived_at AS "archivedAt", rooms.seq, rooms.number, rooms.members`;

/** Stands for a room that is not there, where that must take the work of one that is hidden. */
export const ABSENT: StoredRoom = {
  id: 0,
  kind: 'private',
  name: 'a room that is not there',
  topic: '',
  description: '',
  emoji: null,
  hue: null,
  isDefault: 0,
  settings: '{}',
  archivedAt: null,
  seq: 0,
  number: 0,
  members: 0,
};

/** The rooms that `which` selects; it continues the statement after `FROM rooms`. */
export function* selectRooms(which: Sql): Steps<RoomRow[]> {
  const rows = yield* all<StoredRoom>(sql`SELECT ${ROOM_COLUMNS} FROM rooms ${which}`);
  return rows.map(toRow);
}

/** The same object: to copy a dozen fields is slow, and lists have hundreds of rows. */
export function toRow<Row extends StoredRoom>(row: Row): Omit<Row, 'isDefault'> & { isDefault: boolean } {
  return Object.assign(row as Omit<Row, 'isDefault'>, { isDefault: row.isDefault === 1 });
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
  // A row comes in any case: a room that is not there takes the work of one that is hidden.
  const stored = yield* first<StoredRoom & RoomHead>(sql`
    SELECT ${ROOM_COLUMNS}, rooms.last_at AS "lastAt", rooms.state_seq AS "stateSeq"
    FROM (SELECT 1) AS asked LEFT JOIN rooms ON rooms.id = ${id}`);
  const { lastAt, stateSeq, ...room } = stored ?? { ...ABSENT, lastAt: 0, stateSeq: 0 };
  if (!stored || stored.id === null) return undefined;
  return { room: { ...room, isDefault: room.isDefault === 1 }, lastAt, stateSeq };
}
