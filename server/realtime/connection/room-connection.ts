/**
 * A socket of chatroom.v1: it is in one room for its whole life. It holds the room's channel, and releases it when it
 * has closed.
 */
import { CLOSE } from '../../../protocol/constants.ts';
import { permit } from '../../rooms/permit.ts';
import type { MembershipRow, Store } from '../../storage/store.ts';
import type { Channel } from '../room/channel.ts';
import { Seat, type SeatHolder, type TakenOut } from '../room/seat.ts';
import { wireV1 } from '../wire/v1.ts';
import type { Entry } from '../wire/wire.ts';
import { type CommandParts, perform } from './commands.ts';
import { type Accepted, Connection, type ConnectionParts } from './connection.ts';

export interface RoomConnectionParts extends ConnectionParts, CommandParts {
  store: Store;
  hub: ConnectionParts['hub'] & { release(roomId: number): void };
}

export interface RoomEntrance {
  channel: Channel;
  member: MembershipRow | null;
}

export class RoomConnection extends Connection implements SeatHolder {
  readonly wire = wireV1;
  readonly seat: Seat;
  readonly #channel: Channel;
  readonly #parts: RoomConnectionParts;

  /** `member`: the user's membership, as it was read before the seat is taken. */
  constructor(accepted: Accepted, parts: RoomConnectionParts, { channel, member }: RoomEntrance) {
    super(accepted, parts);
    this.#channel = channel;
    this.#parts = parts;
    this.seat = new Seat(this, channel, wireV1);
    this.seat.silencedUntil = member?.silencedUntil ?? null;
  }

  get roomId(): number {
    return this.#channel.roomId;
  }

  begin(): void {
    this.#channel.arrive(this.user);
    void this.#channel.enter(this.seat);
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
    if (why === 'made_private') void this.#leavePrivateRoom();
    else this.close(CLOSE.roomGone);
  }

  override logFields(): Record<string, unknown> {
    return { roomId: this.roomId, userId: this.userId, version: 1 };
  }

  /** A member comes back: whether the user is one now takes a read, and until then the room says nothing here. */
  async #leavePrivateRoom(): Promise<void> {
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
    if (!isStop) this.#channel.depart(this.user);
    this.#parts.hub.release(this.roomId);
  }

  protected ticked(): void {
    const { seat } = this;
    if (!seat.missedEphemeral || this.writer.unsentBytes > 0) return;
    seat.missedEphemeral = false;
    this.#channel.showPresence(seat);
  }
}
