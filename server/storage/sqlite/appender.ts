/**
 * Appending messages inside the writer's transaction: the hot path, so its SQL is written and prepared by hand. A room's
 * counters are read once and written once a batch, and what decides whether a user may post is read once a batch.
 */
import type { UserRole } from '../../../protocol/people.ts';
import type { RoomKind, RoomRole } from '../../../protocol/rooms.ts';
import { may } from '../../rooms/access.ts';
import type { AppendOutcome, NewMessage, Place, UserChange } from '../store.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';
import { HiddenDms } from './hidden-dms.ts';

interface RoomState {
  seq: number;
  number: number;
  lastAt: number;
  kind: RoomKind;
  archivedAt: number | null;
  dirty: boolean;
  /** The author by id, as posting there depends on them; null: there is no such user. */
  authors: Map<number, Author | null>;
}

interface Author {
  userRole: UserRole;
  /** Null where there is no row about the author in the room. */
  role: RoomRole | null;
  leftAt: number | null;
  silencedUntil: number | null;
  bannedUntil: number | null;
  /** In a direct conversation of two, the other one has blocked the author. */
  isBlocked: number;
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
  readonly #hiddenDms: HiddenDms;
  readonly #selectRoom;
  readonly #selectAuthor;
  readonly #updateRoom;
  readonly #insert;
  readonly #selectExisting;

  constructor(sqlite: Sqlite) {
    this.#hiddenDms = new HiddenDms(sqlite);
    this.#selectRoom = sqlite.prepare<[number], Omit<RoomState, 'dirty' | 'authors'>>(
      'SELECT seq, number, last_at AS lastAt, kind, archived_at AS archivedAt FROM rooms WHERE id = ?',
    );
    this.#selectAuthor = sqlite.prepare<[number, number], Author>(
      `SELECT author.role AS userRole, own.role, own.left_at AS leftAt, own.silenced_until AS silencedUntil,
         own.banned_until AS bannedUntil,
         room.kind = 'dm' AND room.members = 2 AND EXISTS (
           SELECT 1 FROM members AS other JOIN blocks AS block ON block.user_id = other.user_id
           WHERE other.room_id = room.id AND other.left_at IS NULL AND block.blocked_id = author.id
             AND block.removed = 0) AS isBlocked
       FROM rooms AS room JOIN users AS author
         LEFT JOIN members AS own ON own.user_id = author.id AND own.room_id = room.id
       WHERE room.id = ? AND author.id = ?`,
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

  /** Forgets the rooms' counters: they are true only within one transaction. */
  begin(): void {
    this.#rooms.clear();
  }

  /**
   * Writes the rooms' counters and forgets what was read. Call it before COMMIT and before any other command of the
   * batch, which may read the counters or advance them, or change who may post.
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
    const author = this.#author(room, message);
    if (!author) return { outcome: 'user_not_found' };
    const isMember = isIn(author, message.now);
    const refusal = refusalOf(room, author, message.now);
    // What was stored before stays acknowledged, whatever was decided about its author since.
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
    const stored = { outcome: 'stored', id, seq, number, createdAt, isMember } as const;
    const shown = room.kind === 'dm' ? this.#hiddenDms.show(message.roomId) : NOBODY;
    return shown.length === 0 ? stored : { ...stored, shown };
  }

  #room(id: number): RoomState | undefined {
    const known = this.#rooms.get(id);
    if (known) return known;
    const row = this.#selectRoom.get(id);
    // A missing room is not remembered: a later command of the same batch may create it.
    if (!row) return undefined;
    const room = { ...row, dirty: false, authors: new Map() };
    this.#rooms.set(id, room);
    return room;
  }

  #author(room: RoomState, { roomId, userId }: NewMessage): Author | null {
    const known = room.authors.get(userId);
    if (known !== undefined) return known;
    const author = this.#selectAuthor.get(roomId, userId) ?? null;
    room.authors.set(userId, author);
    return author;
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
/** Posting does not depend on them. */
const NO_SETTINGS = {};

function refusalOf(
  { kind, archivedAt }: RoomState,
  author: Author,
  now: number,
): 'room_not_found' | 'not_allowed' | 'not_delivered' | undefined {
  const { userRole, role, leftAt, silencedUntil, bannedUntil, isBlocked } = author;
  const member = role && {
    ...{ role, hasLeft: leftAt !== null },
    isBanned: isAhead(bannedUntil, now),
    isSilenced: isAhead(silencedUntil, now),
  };
  const room = { kind, isArchived: archivedAt !== null, settings: NO_SETTINGS };
  const verdict = may('post', { role: userRole }, room, member);
  if (verdict === 'hidden') return 'room_not_found';
  if (verdict === 'forbidden') return 'not_allowed';
  return isBlocked === 1 ? 'not_delivered' : undefined;
}

function isIn({ role, leftAt, bannedUntil }: Author, now: number): boolean {
  return role !== null && leftAt === null && !isAhead(bannedUntil, now);
}

function isAhead(until: number | null, now: number): boolean {
  return until !== null && until > now;
}

function neverHappens(): never {
  throw new Error('a message conflicts with none');
}
