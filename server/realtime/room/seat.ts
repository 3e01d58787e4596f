/** A seat: one socket in one room. The room sends to seats, and a socket has one for each room that it has open. */
import type { Person } from '../../../protocol/events.ts';
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
  /** The seat gets nothing more from the room. */
  leave(seat: Seat): void;
  /** A user has come into the room with one more socket. Every call needs one `depart`. */
  arrive(user: SeatHolder['user']): void;
  depart(user: SeatHolder['user']): void;
  /** The seat gets the present state of presence. */
  showPresence(seat: Seat): void;
}

/** Why a seat was closed: its user was removed, or the room was made private and the user is not known as a member. */
export type TakenOut = 'removed' | 'left' | 'made_private' | 'deleted';

/** The socket that a seat belongs to. */
export interface SeatHolder {
  readonly user: { userId: number; username: string };
  readonly writer: SocketWriter;
  isOpen(): boolean;
  /** Too many bytes are unsent: close it. */
  onOverflow(): void;
  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  drained(): Promise<void>;
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
  /** A moderator has silenced the user in this room until then, in Unix milliseconds; null: they may speak. */
  silencedUntil: number | null = null;

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

  /** `now`: Unix milliseconds. */
  isSilenced(now: number): boolean {
    return this.silencedUntil !== null && this.silencedUntil > now;
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
}
