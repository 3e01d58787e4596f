/** A seat, as the fan-out sees it: what one socket gets of one room. */
import type { RoomWire } from '../wire/wire.ts';
import type { Piece, SocketWriter } from './socket-writer.ts';

/** It belongs to one `Fanout` for its whole life: frames can be sent to it at any time, and it listens once added. */
export interface Recipient {
  readonly wire: RoomWire;
  readonly userId: number;
  /** Writes to the socket of the upgrade. Frames are written whole, so they mix with those that `ws` writes. */
  readonly writer: SocketWriter;
  isOpen(): boolean;
  /** Too many bytes are unsent: close it. */
  onOverflow(): void;
  /** Kept by the fan-out: the frames of this turn that are for this recipient alone. */
  turn: PersonalTurn | null;
  /** Set by the fan-out when the socket was behind and an ephemeral frame was dropped for it. */
  missedEphemeral: boolean;
}

export interface PersonalTurn {
  /** The index of the first room frame of the turn that this recipient gets; infinite while it does not listen. */
  from: number;
  /** Own frames, each to be sent before the room frame with index `before`. */
  own: { before: number; piece: Piece }[];
}
