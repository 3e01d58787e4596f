/** The room frames of one turn of the event loop, as bytes for each kind of recipient. */
import type { RoomWire } from '../wire/wire.ts';
import type { PersonalTurn, Recipient } from './recipient.ts';
import type { Piece, SocketWriter } from './socket-writer.ts';
import { encodeTextFrame } from './text-frame.ts';

/** Above this many unsent bytes a socket gets no ephemeral frames: typing and presence are worthless when late. */
export const SHED_ABOVE_BYTES = 64 * 1024;
/** Above this many it is closed; the client can reconnect and resume. */
export const CLOSE_ABOVE_BYTES = 1024 * 1024;

export interface RoomFrame {
  /** The frame as JSON, or null if the protocol does not have it. Called once for all recipients of a kind. */
  encode(wire: RoomWire): string | null;
  /** Worthless when late: dropped for a socket that is behind. */
  ephemeral?: boolean;
  /** The users whose sockets do not get this frame. */
  exceptUserIds?: readonly number[];
}

/** Gathers the pieces of several rooms for each socket. */
export interface SharedTurn {
  put(writer: SocketWriter, pieces: readonly Piece[]): void;
}

/** The bytes of a turn for one kind of recipient, and where each frame begins; one more entry is the end. */
interface Stream {
  bytes: Buffer;
  offsets: number[];
  /** An ephemeral frame was left out. */
  isShed: boolean;
}

/** Streams are built when the first recipient needs them, and shared by all others of the same kind. */
export class Turn {
  readonly #frames: readonly RoomFrame[];
  readonly #whole = new Map<RoomWire, Stream>();
  readonly #shed = new Map<RoomWire, Stream>();
  /** For each user who is excepted from frames, the indices of those frames. */
  readonly #exceptions = new Map<number, number[]>();
  readonly #hasEphemeral: boolean;
  readonly #shared: SharedTurn | null;

  /** `shared`: takes the bytes when other rooms speak in this turn, too; null: they are written at once. */
  constructor(frames: readonly RoomFrame[], shared: SharedTurn | null) {
    this.#frames = frames;
    this.#shared = shared;
    this.#hasEphemeral = frames.some(({ ephemeral }) => ephemeral);
    for (const [index, { exceptUserIds = [] }] of frames.entries()) {
      for (const userId of exceptUserIds) {
        const indices = this.#exceptions.get(userId);
        if (indices) indices.push(index);
        else this.#exceptions.set(userId, [index]);
      }
    }
  }

  /** Hands the turn to one recipient's socket, or reports an overflow instead. */
  deliver(recipient: Recipient): void {
    const { writer } = recipient;
    if (!recipient.isOpen() || !writer.isWritable) return;
    const backlog = writer.unsentBytes;
    if (backlog > CLOSE_ABOVE_BYTES) return recipient.onOverflow();
    const stream = this.#stream(recipient.wire, this.#hasEphemeral && backlog > SHED_ABOVE_BYTES);
    if (stream.isShed) recipient.missedEphemeral = true;
    const exceptions = this.#exceptions.size === 0 ? undefined : this.#exceptions.get(recipient.userId);
    if (!recipient.turn && !exceptions) {
      if (stream.bytes.length > 0) this.#write(writer, [stream.bytes]);
      return;
    }
    this.#write(writer, compose(stream, recipient.turn ?? { from: 0, own: [] }, exceptions ?? []));
  }

  #write(writer: SocketWriter, pieces: Piece[]): void {
    if (this.#shared) this.#shared.put(writer, pieces);
    else writer.write(pieces);
  }

  #stream(wire: RoomWire, shed: boolean): Stream {
    const streams = shed ? this.#shed : this.#whole;
    let stream = streams.get(wire);
    if (!stream) {
      stream = this.#build(wire, shed);
      streams.set(wire, stream);
    }
    return stream;
  }

  #build(wire: RoomWire, shed: boolean): Stream {
    const parts: Buffer[] = [];
    const offsets: number[] = [];
    let offset = 0;
    let isShed = false;
    for (const frame of this.#frames) {
      offsets.push(offset);
      const json = frame.encode(wire);
      if (json === null) continue;
      if (shed && frame.ephemeral) {
        isShed = true;
        continue;
      }
      const bytes = encodeTextFrame(json);
      parts.push(bytes);
      offset += bytes.length;
    }
    offsets.push(offset);
    const [only] = parts;
    return { bytes: parts.length === 1 && only ? only : Buffer.concat(parts, offset), offsets, isShed };
  }
}

/** The stream from `from` on, without the excepted frames, with the recipient's own frames in their places. */
function compose({ bytes, offsets }: Stream, { from, own }: PersonalTurn, exceptions: number[]): Piece[] {
  const pieces: Piece[] = [];
  const end = offsets.length - 1;
  let next = Math.min(from, end);
  const copyUpTo = (index: number) => {
    const [start, stop] = [offsets[next] ?? 0, offsets[index] ?? 0];
    if (stop > start) pieces.push(bytes.subarray(start, stop));
    next = Math.max(next, index);
  };
  let skip = 0;
  const copyWithout = (limit: number) => {
    for (let index = exceptions[skip]; index !== undefined && index < limit; index = exceptions[++skip]) {
      if (index < next) continue;
      copyUpTo(index);
      next = index + 1;
    }
    copyUpTo(limit);
  };
  for (const { before, piece } of own) {
    copyWithout(before);
    pieces.push(piece);
  }
  copyWithout(end);
  return pieces;
}
