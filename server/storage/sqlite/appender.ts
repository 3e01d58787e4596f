/**
 * Appending messages inside the writer's transaction: the hot path, so its SQL is written and prepared by hand, and
 * a room's counters are read once and written once a batch.
 */
import type { AppendOutcome, NewMessage, Place } from '../store.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';

interface RoomState {
  seq: number;
  number: number;
  lastAt: number;
  dirty: boolean;
}

interface Existing {
  id: number;
  seq: number;
  number: number;
  content: string;
  createdAt: number;
}

export class Appender {
  readonly #rooms = new Map<number, RoomState>();
  readonly #selectRoom;
  readonly #updateRoom;
  readonly #insert;
  readonly #selectExisting;

  constructor(sqlite: Sqlite) {
    this.#selectRoom = sqlite.prepare<[number], { seq: number; number: number; lastAt: number }>(
      'SELECT seq, number, last_at AS lastAt FROM rooms WHERE id = ?',
    );
    this.#updateRoom = sqlite.prepare<[number, number, number, number]>(
      'UPDATE rooms SET seq = ?, number = ?, last_at = ? WHERE id = ?',
    );
    this.#insert = sqlite.prepare<[number, number, number, number, number, string | null, string, number]>(
      `INSERT INTO messages (room_id, seq, changed_seq, number, user_id, cid, content, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (user_id, room_id, cid) DO NOTHING`,
    );
    this.#selectExisting = sqlite.prepare<[number, number, string], Existing>(
      'SELECT id, seq, coalesce(number, seq) AS number, content, created_at AS createdAt FROM messages WHERE user_id = ? AND room_id = ? AND cid = ?',
    );
  }

  /** Forgets the rooms' counters: they are true only within one transaction. */
  begin(): void {
    this.#rooms.clear();
  }

  /**
   * Writes the rooms' counters and forgets them. Call it before COMMIT and before any other command of the batch, which
   * may read the counters or advance them.
   */
  flush(): void {
    for (const [id, room] of this.#rooms)
      if (room.dirty) this.#updateRoom.run(room.seq, room.number, room.lastAt, id);
    this.#rooms.clear();
  }

  /** Only one of its statements writes, so an append that throws has changed nothing. */
  append(message: NewMessage): AppendOutcome {
    const room = this.#room(message.roomId);
    if (!room) return { outcome: 'room_not_found' };
    const seq = room.seq + 1;
    // Never earlier than the room's last message, even if the clock is set back.
    const createdAt = Math.max(message.now, room.lastAt);
    const number = room.number + 1;
    const id = this.#tryInsert(message, { seq, number, createdAt });
    if (id === 'user_not_found') return { outcome: id };
    if (id === 'exists') return this.#compareRepeat(message);
    room.seq = seq;
    room.number = number;
    room.lastAt = createdAt;
    room.dirty = true;
    return { outcome: 'stored', id, seq, number, createdAt, isMember: true };
  }

  #room(id: number): RoomState | undefined {
    const known = this.#rooms.get(id);
    if (known) return known;
    const row = this.#selectRoom.get(id);
    // A missing room is not remembered: a later command of the same batch may create it.
    if (!row) return undefined;
    const room = { ...row, dirty: false };
    this.#rooms.set(id, room);
    return room;
  }

  #tryInsert(
    message: NewMessage,
    { seq, number, createdAt }: Omit<Place, 'id'>,
  ): number | 'exists' | 'user_not_found' {
    const { roomId, userId, cid, content } = message;
    try {
      const { changes, lastInsertRowid } = this.#insert.run(
        roomId,
        seq,
        seq,
        number,
        userId,
        cid,
        content,
        createdAt,
      );
      return changes === 1 ? lastInsertRowid : 'exists';
    } catch (error) {
      // The failed statement undid itself; the rest of the batch stands.
      if (codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'user_not_found';
      throw error;
    }
  }

  #compareRepeat({ userId, roomId, cid, content }: NewMessage): AppendOutcome {
    const first = cid === null ? undefined : this.#selectExisting.get(userId, roomId, cid);
    if (!first) throw new Error('a message conflicts with none');
    if (first.content !== content) return { outcome: 'cid_conflict' };
    const { id, seq, number, createdAt } = first;
    return { outcome: 'duplicate', id, seq, number, createdAt };
  }
}
