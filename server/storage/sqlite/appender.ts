/**
 * Appending messages inside the writer's transaction: the hot path, so its SQL is written and prepared by hand, and
 * a room's counters are read once and written once a batch.
 */
import type { AppendOutcome, NewMessage } from '../store.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';

interface RoomState {
  seq: number;
  lastAt: number;
  dirty: boolean;
}

interface Existing {
  id: number;
  seq: number;
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
    this.#selectRoom = sqlite.prepare<[number], { seq: number; lastAt: number }>(
      `SELECT seq, coalesce((SELECT created_at FROM messages WHERE room_id = rooms.id ORDER BY seq DESC LIMIT 1), 0) AS lastAt
       FROM rooms WHERE id = ?`,
    );
    this.#updateRoom = sqlite.prepare<[number, number]>('UPDATE rooms SET seq = ? WHERE id = ?');
    this.#insert = sqlite.prepare<[number, number, number, number, string | null, string, number]>(
      `INSERT INTO messages (room_id, seq, changed_seq, user_id, cid, content, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (user_id, room_id, cid) DO NOTHING`,
    );
    this.#selectExisting = sqlite.prepare<[number, number, string], Existing>(
      'SELECT id, seq, content, created_at AS createdAt FROM messages WHERE user_id = ? AND room_id = ? AND cid = ?',
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
    for (const [id, room] of this.#rooms) if (room.dirty) this.#updateRoom.run(room.seq, id);
    this.#rooms.clear();
  }

  /** Only one of its statements writes, so an append that throws has changed nothing. */
  append(message: NewMessage): AppendOutcome {
    const room = this.#room(message.roomId);
    if (!room) return { outcome: 'room_not_found' };
    const seq = room.seq + 1;
    // Never earlier than the room's last message, even if the clock is set back.
    const createdAt = Math.max(message.now, room.lastAt);
    const id = this.#tryInsert(message, seq, createdAt);
    if (id === 'user_not_found') return { outcome: id };
    if (id === 'exists') return this.#compareRepeat(message);
    room.seq = seq;
    room.lastAt = createdAt;
    room.dirty = true;
    return { outcome: 'stored', id, seq, createdAt };
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

  #tryInsert(message: NewMessage, seq: number, createdAt: number): number | 'exists' | 'user_not_found' {
    const { roomId, userId, cid, content } = message;
    try {
      const { changes, lastInsertRowid } = this.#insert.run(
        roomId,
        seq,
        seq,
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
    return { outcome: 'duplicate', id: first.id, seq: first.seq, createdAt: first.createdAt };
  }
}
