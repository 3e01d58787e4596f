/**
 * What the commands of one batch have read of rooms, users and members, so that each row is read once a batch, and the
 * counters of a room are written once. Only the writer changes these rows, and a batch runs from its beginning to its
 * end, so there is one rule: a statement that may write to one of these tables makes it forget everything. The rooms'
 * counters alone are set here, and written before any statement that names `rooms`, and before the batch ends.
 */
import { type RoomHead, type StoredRoom, selectRoomAndHead } from '../queries/room-rows.ts';
import type { Shortcut, Sql } from '../queries/sql.ts';
import type { Sqlite, Statement } from './driver/driver.ts';
import { textOf } from './statement-text.ts';

/** A room as a row of the database; its id is null where there is none. */
export type RoomInBatch = Omit<StoredRoom, 'id'> & RoomHead & { id: number | null };

/** A prepared statement, and what its text says about rooms, users and members. */
export interface Prepared {
  readonly statement: Statement;
  readonly namesRooms: boolean;
  /** It may write to one of the three tables. */
  readonly mayChange: boolean;
}

export function prepared(sqlite: Sqlite, text: string): Prepared {
  return {
    statement: sqlite.prepare(text),
    namesRooms: /\brooms\b/i.test(text),
    mayChange: !/^\s*SELECT\b/i.test(text) && /\b(rooms|users|members)\b/i.test(text),
  };
}

export class BatchMemory {
  readonly #rooms = new Map<number, RoomInBatch>();
  /** Rooms whose counters are still to be written. */
  readonly #unwritten = new Map<number, RoomInBatch>();
  readonly #known = new Map<string, unknown[]>();
  readonly #selectRoom;
  readonly #updateRoom;

  constructor(sqlite: Sqlite) {
    this.#selectRoom = sqlite.prepare<[number], RoomInBatch>(textOf(selectRoomAndHead(0)));
    this.#updateRoom = sqlite.prepare<[number, number, number, number]>(
      'UPDATE rooms SET seq = ?, number = ?, last_at = ? WHERE id = ?',
    );
  }

  /** A transaction begins. */
  begin(): void {
    this.#unwritten.clear();
    this.#forget();
  }

  /** The room's row, which only `setCounters` may change. */
  room(id: number): RoomInBatch | undefined {
    let room = this.#rooms.get(id);
    if (!room) {
      room = this.#selectRoom.get(id);
      if (room) this.#rooms.set(id, room);
    }
    return room;
  }

  setCounters({ id, seq, number, lastAt }: Omit<Extract<Shortcut, { kind: 'counters' }>, 'kind'>): void {
    const room = this.room(id);
    if (room?.id !== id) return;
    room.seq = seq;
    if (number !== undefined) room.number = number;
    if (lastAt !== undefined) room.lastAt = lastAt;
    this.#unwritten.set(id, room);
  }

  /** Writes the rooms' counters. Call it before COMMIT. */
  flush(): void {
    if (this.#unwritten.size === 0) return;
    for (const [id, { seq, number, lastAt }] of this.#unwritten)
      this.#updateRoom.run(seq, number, lastAt, id);
    this.#unwritten.clear();
  }

  /** Call it before one of the three tables may be changed by other means than `run`. */
  forget(): void {
    this.flush();
    this.#forget();
  }

  /** Runs a statement, or takes its shortcut. */
  run({ shortcut, values }: Sql, { statement, namesRooms, mayChange }: Prepared): unknown[] {
    if (shortcut) {
      if (shortcut.kind === 'counters') {
        this.setCounters(shortcut);
        return [];
      }
      if (shortcut.kind === 'room') return [this.room(shortcut.id)];
      const known = this.#known.get(shortcut.key);
      if (known) return known;
      const rows = statement.all(...values);
      this.#known.set(shortcut.key, rows);
      return rows;
    }
    if (mayChange) this.forget();
    else if (namesRooms) this.flush();
    return statement.all(...values);
  }

  #forget(): void {
    this.#rooms.clear();
    this.#known.clear();
  }
}
