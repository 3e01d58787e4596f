/** Appending messages inside the writer's transaction: the hot path, so its SQL is written and prepared by hand. */
import type { AppendOutcome, NewMessage, Place, UserChange } from '../store.ts';
import { Authors } from './authors.ts';
import type { BatchMemory } from './batch-memory.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';
import { HiddenDms } from './hidden-dms.ts';

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
  readonly #memory: BatchMemory;
  readonly #authors: Authors;
  readonly #hiddenDms: HiddenDms;
  /** A command of this transaction may have changed whether users may post. */
  #isUncertain = false;
  readonly #insert;
  readonly #selectExisting;

  constructor(sqlite: Sqlite, memory: BatchMemory) {
    this.#memory = memory;
    this.#authors = new Authors(sqlite);
    this.#hiddenDms = new HiddenDms(sqlite);
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

  /** A transaction begins. What was read of authors after a command that was perhaps rolled back may be wrong. */
  begin(): void {
    if (this.#isUncertain) this.#authors.forget();
    this.#isUncertain = false;
  }

  /** Call it before a command that may change whether a user may post in a room. */
  forgetAuthors(): void {
    this.#authors.forget();
    this.#isUncertain = true;
  }

  /** Until the message is inserted nothing is written, so an append that is refused or throws has changed nothing. */
  append(message: NewMessage): AppendOutcome {
    const { roomId } = message;
    const room = this.#memory.room(roomId);
    if (!room || room.id === null) return { outcome: 'room_not_found' };
    const place = { id: roomId, kind: room.kind, archivedAt: room.archivedAt };
    const author = this.#authors.find(place, message.userId, message.now);
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
    this.#memory.setCounters({ id: roomId, seq, number, lastAt: createdAt });
    const stored = {
      outcome: 'stored',
      id,
      seq,
      number,
      createdAt,
      isMember,
    } as const;
    const shown = room.kind === 'dm' ? this.#hiddenDms.show(roomId) : NOBODY;
    if (shown.length === 0) return stored;
    this.#memory.forget();
    return { ...stored, shown };
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
