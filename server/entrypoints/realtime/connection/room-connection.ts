/**
 * A socket of chatroom.v1: it is in one room for its whole life. It holds the room's channel and its user's log, and
 * releases them when it has closed. The log says when the user may not read the room any more, or may not speak there.
 */
import { CLOSE } from '../../../../protocol/constants.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { MembershipRow, Store } from '../../../data/storage/store.ts';
import { permit } from '../../../features/rooms/permit.ts';
import type { Channel } from '../room/channel.ts';
import { Seat, type SeatHolder, type TakenOut } from '../room/seat.ts';
import type { UserLog, UserLogReader, UserLogRow } from '../user-log/user-log.ts';
import type { UserLogs } from '../user-log/user-logs.ts';
import { wireV1 } from '../wire/v1.ts';
import type { Entry } from '../wire/wire.ts';
import { type CommandParts, perform } from './commands.ts';
import { type Accepted, Connection, type ConnectionParts } from './connection.ts';

export interface RoomConnectionParts extends ConnectionParts, CommandParts {
  store: Store;
  hub: ConnectionParts['hub'] & {
    release(roomId: number): void;
    readonly lines: { readonly userLogs: UserLogs };
  };
}

export interface RoomEntrance {
  channel: Channel;
  log: UserLog;
  member: MembershipRow | null;
}

export class RoomConnection extends Connection implements SeatHolder, UserLogReader {
  readonly wire = wireV1;
  readonly seat: Seat;
  readonly #channel: Channel;
  readonly #parts: RoomConnectionParts;
  readonly #log: UserLog;
  #hasMembership: boolean;
  /** The others see the user in the room. */
  #isSeen = false;

  /** `member`: the user's membership, as it was read before the seat is taken. */
  constructor(accepted: Accepted, parts: RoomConnectionParts, { channel, log, member }: RoomEntrance) {
    super(accepted, parts);
    this.#channel = channel;
    this.#parts = parts;
    this.seat = new Seat(this, channel, wireV1);
    this.seat.restrict(member);
    this.#log = log;
    this.#hasMembership = member !== null && member.leftAt === null;
  }

  get roomId(): number {
    return this.#channel.roomId;
  }

  begin(): void {
    this.#log.add(this);
    this.#showOrHide();
    void this.#channel.enter(this.seat);
  }

  /** The room of the user's log is known to no list here. */
  knows(): boolean {
    return true;
  }

  tell(row: UserLogRow): void {
    if (row.kind !== 'member' || row.member.roomId !== this.roomId) return;
    this.#hasMembership = row.member.leftAt === null;
    this.seat.restrict(row.member);
    this.#showOrHide();
    this.judge(this.#log.role);
  }

  notify(): void {}

  /** A guest reads rooms as a member only. */
  judge(role: UserRole): void {
    const isSure = this.#hasMembership && !this.#log.isBehind;
    if (role === 'guest' && !isSure && this.seat.phase !== 'closed')
      this.#channel.takeOut(this.seat, 'no_access');
  }

  /** The log is behind until it has read the leave, so a guest is not known as a member. */
  left(roomId: number): void {
    if (roomId === this.roomId) this.judge(this.#log.role);
  }

  #showOrHide(): void {
    const isSeen = this.seat.phase !== 'closed' && !this.seat.isBanned(this.#parts.now());
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    if (isSeen) this.#channel.arrive(this.user);
    else this.#channel.depart(this.user);
  }

  send(json: string | null): void {
    this.seat.send(json);
  }

  welcome(_: Seat, entry: Entry): string {
    return wireV1.entered(entry);
  }

  /** It is not known: a member may have left without a notice since the socket was opened. */
  isMember(): boolean {
    return false;
  }

  onTakenOut(_: Seat, why: TakenOut): void {
    if (why === 'made_private' || why === 'no_access') void this.#leaveUnlessMember();
    else this.close(CLOSE.roomGone);
  }

  override logFields(): Record<string, unknown> {
    return { roomId: this.roomId, userId: this.userId, version: 1 };
  }

  /** A member comes back: whether the user is one now takes a read, and until then the room says nothing here. */
  async #leaveUnlessMember(): Promise<void> {
    const where = { roomId: this.roomId, userId: this.userId };
    const isIn = await permit(this.#parts.store, 'read', where, this.#parts.now()).then(
      () => true,
      () => false,
    );
    this.close(isIn ? wireV1.closeCodes.shutdown : CLOSE.roomGone);
  }

  protected receive(text: string, bytes: number): void {
    const frame = wireV1.parse(text);
    if ('refused' in frame) return this.refuse({ code: frame.refused });
    perform(frame, bytes, this, this.#parts);
  }

  closed(isStop: boolean): void {
    this.#channel.leave(this.seat);
    if (!isStop && this.#isSeen) this.#channel.depart(this.user);
    this.#parts.hub.release(this.roomId);
    this.#log.delete(this);
    this.#parts.hub.lines.userLogs.release(this.userId);
  }

  protected ticked(): void {
    const { seat } = this;
    // A ban ends by its time, too.
    this.#showOrHide();
    if (!seat.missedEphemeral || this.writer.unsentBytes > 0) return;
    seat.missedEphemeral = false;
    this.#channel.showPresence(seat);
  }
}
