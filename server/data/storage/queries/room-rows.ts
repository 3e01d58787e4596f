/** Rooms as rows. */
import type { RoomRow } from '../store.ts';
import { type Sql, sql, withShortcut } from './sql.ts';
import { all, first, run, type Steps } from './steps.ts';

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

/** A room of a row that has more. The fields are written out: to copy or to spread them takes several times as long. */
export function roomOf(row: StoredRoom): RoomRow {
  const { id, kind, name, topic, description, emoji, hue, settings, archivedAt, seq, number, members } = row;
  const isDefault = row.isDefault === 1;
  return {
    id,
    kind,
    name,
    topic,
    description,
    emoji,
    hue,
    isDefault,
    settings,
    archivedAt,
    seq,
    number,
    members,
  };
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

/**
 * A `StoredRoom & RoomHead`. The row comes in any case: a room that is not there takes the work of one that is hidden.
 */
export function selectRoomAndHead(id: number): Sql {
  return sql`
    SELECT ${ROOM_COLUMNS}, rooms.last_at AS "lastAt", rooms.state_seq AS "stateSeq"
    FROM (SELECT 1) AS asked LEFT JOIN rooms ON rooms.id = ${id}`;
}

export function* findRoomAndHead(id: number): Steps<(RoomHead & { room: RoomRow }) | undefined> {
  const stored = yield* first<StoredRoom & RoomHead>(
    withShortcut(selectRoomAndHead(id), { kind: 'room', id }),
  );
  const { lastAt, stateSeq, ...room } = stored ?? { ...ABSENT, lastAt: 0, stateSeq: 0 };
  if (!stored || stored.id === null) return undefined;
  return { room: { ...room, isDefault: room.isDefault === 1 }, lastAt, stateSeq };
}

/** Stores the number of the room's last event. */
export function* putSeq({ id, seq }: Pick<RoomRow, 'id' | 'seq'>): Steps<void> {
  yield* run(
    withShortcut(sql`UPDATE rooms SET seq = ${seq} WHERE id = ${id}`, { kind: 'counters', id, seq }),
  );
}

/** The same of an event that is a text. */
export function* putCounters(room: { id: number; seq: number; number: number; lastAt: number }): Steps<void> {
  const { id, seq, number, lastAt } = room;
  const update = sql`UPDATE rooms SET seq = ${seq}, number = ${number}, last_at = ${lastAt} WHERE id = ${id}`;
  yield* run(withShortcut(update, { kind: 'counters', id, seq, number, lastAt }));
}
