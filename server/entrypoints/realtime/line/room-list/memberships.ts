/**
 * The rooms that a user belongs to, as one line tells of them: what the user's log says, and the losses that a room
 * says itself. A removal is an event of its room, and the log says it once more: `gone` comes after both, or after the
 * room has been read.
 */
import type { GoneReason } from '../../../../../protocol/frames/v2.ts';
import type { EntryRow } from '../../../../data/storage/store.ts';
import { toMembership } from '../../../../features/rooms/shapes.ts';
import type { Outlet } from '../../fanout/outlet.ts';
import type { Restrictions, Seat, TakenOut } from '../../room/seat.ts';
import { type MemberLogRow, type OwnLogRow, type UserLogRow, userSeqOf } from '../../user-log/user-log.ts';
import { encodeOwn } from '../../wire/own-rows.ts';
import { encodeV2 } from '../../wire/v2.ts';
import type { Lines } from '../lines.ts';
import type { BriefRooms } from './brief-rooms.ts';
import { entryOf } from './rooms-frame.ts';

/** The line. */
export interface MembershipLine {
  readonly userId: number;
  readonly brief: BriefRooms;
  readonly open: { seat(roomId: number): Seat | undefined };
  isOpen(): boolean;
  /** It gets the rows of the user's log as they are written. */
  readonly isLive: boolean;
  /** By the user's log. */
  readonly isGuest: boolean;
  send(json: string): void;
  /** The user is not in this room any more. */
  leave(roomId: number): void;
  /** What the user's row for this room says of mutes and bans. */
  restrict(roomId: number, restrictions: Restrictions): void;
  fail(error: unknown): void;
}

type Loss = 'removed' | 'deleted' | 'left';

export class Memberships {
  readonly #line: MembershipLine;
  readonly #lines: Lines;
  readonly #outlet: Outlet;
  /** Rooms whose notice has said that the user loses them, and why, until `gone` is sent; null: none. */
  #losing: Map<number, Loss> | null = null;
  /** Rooms that the client had when the line began, and that it has lost since; null: none. */
  #lost: Set<number> | null = null;
  /** The number in the user's log up to which the client has everything. */
  #toldSeq = 0;

  constructor(line: MembershipLine, lines: Lines, outlet: Outlet) {
    this.#line = line;
    this.#lines = lines;
    this.#outlet = outlet;
  }

  /** The client has the user's log up to this number, and of these rooms it does not know yet that they are lost. */
  beginAt(userSeq: number, lost: readonly number[]): void {
    this.#toldSeq = userSeq;
    if (lost.length > 0) this.#lost = new Set(lost);
  }

  /** Whether the notice of the user's loss of the room has been delivered, and `gone` has not. */
  isLosing(roomId: number): boolean {
    return this.#losing?.has(roomId) ?? false;
  }

  /** A change in the user's own log. */
  tell(row: UserLogRow): void {
    const userSeq = userSeqOf(row);
    if (userSeq <= this.#toldSeq) return;
    this.#toldSeq = userSeq;
    if (row.kind === 'member') this.#tellMember(row);
    else this.#tellOwn(row);
  }

  /** Nothing in these says more of a room than that the user was there once. */
  #tellOwn(row: OwnLogRow): void {
    this.#line.send(encodeOwn(row));
  }

  #tellMember({ member, entry }: MemberLogRow): void {
    const { roomId, userSeq } = member;
    this.#line.restrict(roomId, member);
    if (member.leftAt !== null || member.hidden) {
      const loss = this.#takeLoss(roomId);
      const wasLost = this.#lost?.delete(roomId) ?? false;
      const isHidden = member.leftAt === null;
      // A mute or a ban of somebody who is no member of a public room that they read.
      const hadIt = loss || wasLost || isHidden || this.#line.brief.has(roomId) || !this.#line.isLive;
      if (!hadIt && !this.#line.isGuest) return;
      return this.#gone(roomId, member.leftAt === null ? 'hidden' : (loss ?? member.leftBy ?? 'left'));
    }
    // Out and in again, in one change: the client had the room, and has it no more.
    const loss = this.#takeLoss(roomId);
    if (loss) this.#gone(roomId, loss);
    if (this.#line.brief.has(roomId)) {
      const me = toMembership(member);
      return this.#line.send(encodeV2({ type: 'me', room_id: roomId, me, user_seq: userSeq }));
    }
    // Without an entry the user has left again, which the log tells next.
    if (entry) this.#tellRoom(entry);
  }

  /** A room has closed the user's seat. */
  onTakenOut(roomId: number, why: TakenOut): void {
    if (why === 'removed' || why === 'left') {
      // The room was late: the log has sent its `gone` already, and the client has opened the public room again since.
      const isLate = !this.#line.brief.has(roomId) && !this.isLosing(roomId);
      if (isLate) return this.#gone(roomId, why);
      this.#noteLoss(roomId, why);
      this.onOut(roomId, why === 'removed');
    } else if (why === 'deleted') {
      // Members learn it from their log.
      if (!this.#line.brief.has(roomId)) return this.#gone(roomId, why);
      this.#noteLoss(roomId, why);
      this.#line.brief.forget(roomId);
    } else {
      const wasListed = this.#line.brief.has(roomId);
      this.#gone(roomId, why);
      if (wasListed) this.#comeBackIfMember(roomId);
    }
  }

  /** A room says that the user is not in it any more. */
  onOut(roomId: number, isRemoved: boolean): void {
    if (!this.#line.brief.has(roomId)) return;
    this.#noteLoss(roomId, isRemoved ? 'removed' : 'left');
    this.#line.brief.forget(roomId);
    this.#comeBackIfMember(roomId);
  }

  /**
   * The user may have been added again. Where the room was late, the log has said so already, or says so without the
   * room, which was on the list when the log was read.
   */
  #comeBackIfMember(roomId: number): void {
    const { heads, parts } = this.#lines;
    const query = { userId: this.#line.userId, roomIds: [roomId], maxDms: 1 };
    const comeBack = async () => {
      const [entry] = await heads.reading(() => parts.store.entries(query));
      if (!entry || !this.#line.isOpen() || this.#line.brief.has(roomId)) return;
      const loss = this.#takeLoss(roomId);
      if (loss) this.#gone(roomId, loss);
      this.#tellRoom(entry);
    };
    comeBack().catch((error) => this.#line.fail(error));
  }

  /** The room is on the list now. */
  #tellRoom(entry: EntryRow): void {
    this.#line.brief.add(entry);
    const room = entryOf(entry, this.#lines);
    this.#line.send(encodeV2({ type: 'room', ...room, user_seq: this.#toldSeq }));
  }

  /** Nothing of the room is sent after this frame. */
  #gone(roomId: number, reason: GoneReason): void {
    if (reason !== 'hidden' && this.#line.open.seat(roomId)) {
      this.#outlet.flush();
      this.#line.leave(roomId);
    }
    this.#line.brief.forget(roomId);
    this.#line.send(encodeV2({ type: 'gone', room_id: roomId, reason, user_seq: this.#toldSeq }));
  }

  #noteLoss(roomId: number, loss: Loss): void {
    this.#losing ??= new Map();
    this.#losing.set(roomId, loss);
  }

  #takeLoss(roomId: number): Loss | undefined {
    const loss = this.#losing?.get(roomId);
    this.#losing?.delete(roomId);
    return loss;
  }
}
