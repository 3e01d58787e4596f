/**
 * Whether a user may post in a room, cached from batch to batch: the people of a busy room post again and again. Only
 * the writer changes what this depends on, and it calls `forget` then.
 */
import type { UserRole } from '../../../../protocol/people.ts';
import type { RoomKind, RoomRole } from '../../../../protocol/rooms.ts';
import { may } from '../../../rules/room-access.ts';
import type { Sqlite } from './driver/driver.ts';

const MAX_KNOWN = 10_000;
/** Posting depends on neither. */
const ANY = { settings: {}, members: 0 };

type Refusal = 'room_not_found' | 'not_allowed' | 'not_delivered';

/** A user who posts in a room. */
export interface Author {
  isMember: boolean;
  /** Why they may not; undefined: they may. */
  refusal: Refusal | undefined;
}

interface Row {
  userRole: UserRole;
  /** Null where there is no row about the author in the room. */
  role: RoomRole | null;
  leftAt: number | null;
  silencedUntil: number | null;
  bannedUntil: number | null;
}

interface Place {
  id: number;
  kind: RoomKind;
  archivedAt: number | null;
}

export class Authors {
  /** By room and user; null: there is no such user. */
  readonly #known = new Map<number, Map<number, Author | null>>();
  #count = 0;
  readonly #select;
  readonly #selectBlock;

  constructor(sqlite: Sqlite) {
    this.#select = sqlite.prepare<[number, number], Row>(
      `SELECT author.role AS userRole, own.role, own.left_at AS leftAt, own.silenced_until AS silencedUntil,
         own.banned_until AS bannedUntil
       FROM users AS author LEFT JOIN members AS own ON own.user_id = author.id AND own.room_id = ?
       WHERE author.id = ? AND author.suspended_at IS NULL`,
    );
    this.#selectBlock = sqlite.prepare<[number, number], unknown>(
      `SELECT 1 FROM rooms AS room JOIN members AS other ON other.room_id = room.id
         JOIN blocks AS block ON block.user_id = other.user_id
       WHERE room.id = ? AND room.members = 2 AND block.blocked_id = ? AND block.removed = 0`,
    );
  }

  /** Null: there is no such user, or none who may act. */
  find(room: Place, userId: number, now: number): Author | null {
    const known = this.#known.get(room.id)?.get(userId);
    if (known !== undefined) return known;
    const row = this.#select.get(room.id, userId);
    const isBlocked = room.kind === 'dm' && this.#selectBlock.get(room.id, userId) !== undefined;
    const author = row ? decide(room, row, { isBlocked, now }) : null;
    // What ends at a certain time is decided each time.
    if (!row || (row.silencedUntil === null && row.bannedUntil === null)) this.#keep(room.id, userId, author);
    return author;
  }

  forget(): void {
    this.#known.clear();
    this.#count = 0;
  }

  #keep(roomId: number, userId: number, author: Author | null): void {
    if (this.#count >= MAX_KNOWN) this.forget();
    const ofRoom = this.#known.get(roomId) ?? new Map<number, Author | null>();
    ofRoom.set(userId, author);
    this.#known.set(roomId, ofRoom);
    this.#count++;
  }
}

function decide(
  { kind, archivedAt }: Place,
  { userRole, role, leftAt, silencedUntil, bannedUntil }: Row,
  { isBlocked, now }: { isBlocked: boolean; now: number },
): Author {
  const isBanned = isAhead(bannedUntil, now);
  const member = role && {
    role,
    hasLeft: leftAt !== null,
    isBanned,
    isSilenced: isAhead(silencedUntil, now),
  };
  const room = { kind, isArchived: archivedAt !== null, ...ANY };
  const verdict = may('post', { role: userRole }, room, member);
  const isMember = role !== null && leftAt === null && !isBanned;
  if (verdict === 'hidden') return { isMember, refusal: 'room_not_found' };
  if (verdict === 'forbidden') return { isMember, refusal: 'not_allowed' };
  return { isMember, refusal: isBlocked ? 'not_delivered' : undefined };
}

function isAhead(until: number | null, now: number): boolean {
  return until !== null && until > now;
}
