/** A seat: one socket in one room. The room sends to seats, and a socket has one for each room that it has open. */
import type { Person } from '../../../../protocol/events.ts';
import type { MembershipRow } from '../../../data/storage/store.ts';
import type { Fanout } from '../fanout/fanout.ts';
import type { Recipient } from '../fanout/recipient.ts';
import type { SocketWriter } from '../fanout/socket-writer.ts';
import type { Entry, RoomWire } from '../wire/wire.ts';
import type { Resuming } from './resume.ts';

/** The room that a seat is in. */
export interface SeatRoom {
  readonly roomId: number;
  readonly fanout: Fanout<Seat>;
  /** The number of the last message that was delivered. */
  readonly head: number;
  /** Whether it is a direct conversation. */
  readonly isDm: boolean;
  /** The seat gets nothing more from the room. */
  leave(seat: Seat): void;
  /** The same, once the seat has got what was sent before; its holder is told why. */
  takeOut(seat: Seat, why: TakenOut): void;
  /** A user has come into the room with one more socket. Every call needs one `depart`. */
  arrive(user: SeatHolder['user']): void;
  depart(user: SeatHolder['user']): void;
  /** The seat gets the present state of presence. */
  showPresence(seat: Seat): void;
}

/**
 * Why a seat was closed: its user was removed or has left, the room was deleted, or its user is not known as a member
 * of a room that was made private, or that the user may read as a member only.
 */
export type TakenOut = 'removed' | 'left' | 'made_private' | 'deleted' | 'no_access';

/** How long the user may not speak in the room, in Unix milliseconds; null: the user may. */
export type Restrictions = Pick<MembershipRow, 'silencedUntil' | 'bannedUntil'>;

/** The socket that a seat belongs to. */
export interface SeatHolder {
  readonly user: { userId: number; username: string };
  readonly writer: SocketWriter;
  isOpen(): boolean;
  /** Too many bytes are unsent: close it. */
  onOverflow(): void;
  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  drained(): Promise<void>;
  /** As in `Resuming`. */
  countMissed(bytes: number): void;
  mayBeSentMore(): Promise<void> | undefined;
  /** Closes after a fault of the server; the client may reconnect. */
  fail(error: unknown): void;
  /** The first frame of a seat. */
  welcome(seat: Seat, entry: Entry): string;
  /** Whether the user is known to be a member of the room. */
  isMember(roomId: number): boolean;
  /** The room has closed the seat, because the user may not be in it any more. */
  onTakenOut(seat: Seat, why: TakenOut): void;
}

export class Seat implements Recipient, Resuming {
  readonly holder: SeatHolder;
  readonly channel: SeatRoom;
  readonly writer: SocketWriter;
  readonly userId: number;
  wire: RoomWire;
  phase: 'resuming' | 'live' | 'closed' = 'resuming';
  turn: Recipient['turn'] = null;
  missedEphemeral = false;
  /** Null: none. */
  #restrictions: Restrictions | null = null;

  constructor(holder: SeatHolder, channel: SeatRoom, wire: RoomWire) {
    this.holder = holder;
    this.channel = channel;
    this.writer = holder.writer;
    this.userId = holder.user.userId;
    this.wire = wire;
  }

  get person(): Person {
    return { user_id: this.userId, username: this.holder.user.username };
  }

  /** What the user's row for this room says now. */
  restrict(restrictions: Restrictions | null): void {
    this.#restrictions = restrictions;
  }

  /** Whether the user may not speak here. `now`: Unix milliseconds. */
  isSilenced(now: number): boolean {
    const { silencedUntil = null } = this.#restrictions ?? {};
    return this.isBanned(now) || (silencedUntil !== null && silencedUntil > now);
  }

  /** Whether the user is banned. In a public room they read on, and nobody sees them. */
  isBanned(now: number): boolean {
    const { bannedUntil = null } = this.#restrictions ?? {};
    return bannedUntil !== null && bannedUntil > now;
  }

  isOpen(): boolean {
    return this.phase !== 'closed' && this.holder.isOpen();
  }

  onOverflow(): void {
    this.holder.onOverflow();
  }

  /** Sends a frame of the seat's own, in its place among the room's; null sends nothing. */
  send(json: string | null): void {
    if (json !== null && this.isOpen()) this.channel.fanout.send(this, json);
  }

  /** The same with a whole text frame, whose bytes several seats may share. */
  sendFramed(bytes: Buffer): void {
    if (this.isOpen()) this.channel.fanout.sendFramed(this, bytes);
  }

  drained(): Promise<void> {
    return this.holder.drained();
  }

  countMissed(bytes: number): void {
    this.holder.countMissed(bytes);
  }

  mayBeSentMore(): Promise<void> | undefined {
    return this.holder.mayBeSentMore();
  }
}
