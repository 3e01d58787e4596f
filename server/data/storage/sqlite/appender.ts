/**
 * Appending messages inside the writer's transaction: the hot path, so its SQL is written and prepared by hand, and a
 * room's counters are read once and written once a batch.
 */
import type { RoomKind } from '../../../../protocol/rooms.ts';
import type { AppendOutcome, NewMessage, Place, UserChange } from '../store.ts';
import { Authors } from './authors.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';
import { HiddenDms } from './hidden-dms.ts';

interface RoomState {
  id: number;
  seq: number;
  number: number;
  lastAt: number;
  kind: RoomKind;
  archivedAt: number | null;
  dirty: boolean;
}

interface Existing {
  id: number;
  seq: number;
  number: number;
  content: string;
  createdAt: number;
  /** It was edited or deleted since. */
  isChanged: number;
}

export class Appender {
  readonly #rooms = new Map<number, RoomState>();
  readonly #authors: Authors;
  readonly #hiddenDms: HiddenDms;
  /** A command of this transaction may have changed whether users may post. */
  #isUncertain = false;
  readonly #selectRoom;
  readonly #updateRoom;
  readonly #insert;
  readonly #selectExisting;

  constructor(sqlite: Sqlite) {
    this.#authors = new Authors(sqlite);
    this.#hiddenDms = new HiddenDms(sqlite);
    this.#selectRoom = sqlite.prepare<[number], Omit<RoomState, 'dirty'>>(
      'SELECT id, seq, number, last_at AS lastAt, kind, archived_at AS archivedAt FROM rooms WHERE id = ?',
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
      `SELECT id, seq, coalesce(number, seq) AS number, content, created_at AS createdAt,
         revision > 0 OR deleted_at IS NOT NULL AS isChanged
       FROM messages WHERE user_id = ? AND room_id = ? AND cid = ?`,
    );
  }

  /**
   * Forgets the rooms' counters: they are true only within one transaction. So is what was read of authors after a
   * command that was perhaps rolled back.
   */
  begin(): void {
    this.#rooms.clear();
    if (this.#isUncertain) this.#authors.forget();
    this.#isUncertain = false;
  }

  /** Call it before a command that may change whether a user may post in a room. */
  forgetAuthors(): void {
    this.#authors.forget();
    this.#isUncertain = true;
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

  /** Until the message is inserted nothing is written, so an append that is refused or throws has changed nothing. */
  append(message: NewMessage): AppendOutcome {
    const room = this.#room(message.roomId);
    if (!room) return { outcome: 'room_not_found' };
    const author = this.#authors.find(room, message.userId, message.now);
    if (!author) return { outcome: 'user_not_found' };
    const { refusal, isMember } = author;
    // What was stored before stays acknowledged, even if its author may not post any more.
    if (refusal) return (refusal !== 'room_not_found' && this.#repeat(message)) || { outcome: refusal };
    const seq = room.seq + 1;
    // Never earlier than the room's last message, even if the clock is set back.
    const createdAt = Math.max(message.now, room.lastAt);
    const number = room.number + 1;
    const id = this.#tryInsert(message, { seq, number, createdAt });
    if (id === 'user_not_found') return { outcome: id };
    if (id === 'exists') return this.#repeat(message) ?? neverHappens();
    room.seq = seq;
    room.number = number;
    room.lastAt = createdAt;
    room.dirty = true;
    const stored = {
      outcome: 'stored',
      id,
      seq,
      number,
      createdAt,
      isMember,
    } as const;
    const shown = room.kind === 'dm' ? this.#hiddenDms.show(message.roomId) : NOBODY;
    return shown.length === 0 ? stored : { ...stored, shown };
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

  /** The outcome for a cid that was stored before; undefined for a new one. */
  #repeat({ userId, roomId, cid, content }: NewMessage): AppendOutcome | undefined {
    const first = cid === null ? undefined : this.#selectExisting.get(userId, roomId, cid);
    if (!first) return undefined;
    if (first.content !== content && first.isChanged === 0) return { outcome: 'cid_conflict' };
    const { id, seq, number, createdAt } = first;
    return { outcome: 'duplicate', id, seq, number, createdAt };
  }
}

const NOBODY: UserChange[] = [];
function neverHappens(): never {
  throw new Error('a message conflicts with none');
}
