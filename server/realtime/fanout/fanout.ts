/**
 * Fan-out: what a room has to say is encoded once a protocol version, framed once, joined with all else that the room
 * says in this turn of the event loop, and written once to each socket.
 *
 * A turn's frames are one ordered queue. Most recipients get the same bytes, one shared buffer. A recipient that also
 * has frames of its own, or is spared one, or came in mid-turn, gets slices of that buffer with its own between them:
 * for everybody the order is the order of the calls.
 */

import type { Line } from './socket-writer.ts';
import { encodeTextFrame } from './text-frame.ts';

/** Where a version's frames stand in the arrays below. */
export type Version = 1 | 2;

/** Beyond so many unsent bytes a socket is spared what loses its worth by waiting: typing and presence. */
const SHED_ABOVE_BYTES = 64 * 1024;
/** Beyond so many it is closed; it can come back and resume. */
const CLOSE_ABOVE_BYTES = 1024 * 1024;

export interface RoomFrame {
  /** The JSON for a protocol version, or null when that version is not told. Called once a version at most. */
  encode(version: Version): string | null;
  /** Loses its worth by waiting: dropped for a socket that is behind. */
  ephemeral?: boolean;
  /** The users whose sockets are spared this frame. */
  exceptUserIds?: readonly number[];
}

/** A socket, as the fan-out sees it. It belongs to one Fanout for life: sent to at any time, listening once added. */
export interface Recipient {
  readonly version: Version;
  readonly userId: number;
  /** To the socket that the upgrade handed over; frames are written to it whole, so they mix with ws's own. */
  readonly line: Line;
  isOpen(): boolean;
  /** Too many bytes are unsent: close it. */
  onOverflow(): void;
  /** Kept by the fan-out: what is the recipient's own in this turn. */
  turn: PersonalTurn | null;
  /** Set by the fan-out when the socket was behind and has been spared an ephemeral frame. */
  missedEphemeral: boolean;
}

interface PersonalTurn {
  /** The index of the first of the turn's room frames that is for this recipient; infinite while it does not listen. */
  from: number;
  /** Own frames, each to be sent before the room frame with index `before`. */
  own: { before: number; bytes: Buffer }[];
}

/** The bytes of a turn's frames for one kind of recipient, and where each frame begins (one more entry: the end). */
interface Stream {
  bytes: Buffer;
  offsets: number[];
  /** An ephemeral frame was left out. */
  isShed: boolean;
}

interface QueuedFrame extends RoomFrame {
  encoded: Map<Version, Buffer | null>;
}

export class Fanout {
  readonly #recipients = new Set<Recipient>();
  #frames: QueuedFrame[] = [];
  /** Recipients with a turn of their own, for turns in which the room itself is silent. */
  #personal = new Set<Recipient>();
  #scheduled = false;

  get size(): number {
    return this.#recipients.size;
  }

  /** From now on the recipient listens: it gets the room's frames that are sent after this call, none before. */
  add(recipient: Recipient): void {
    this.#recipients.add(recipient);
    if (this.#frames.length > 0 || recipient.turn) this.#turnOf(recipient).from = this.#frames.length;
  }

  delete(recipient: Recipient): void {
    this.#recipients.delete(recipient);
    this.#personal.delete(recipient);
  }

  recipients(): Iterable<Recipient> {
    return this.#recipients;
  }

  /** Queues a frame for everybody in the room. */
  broadcast(frame: RoomFrame): void {
    if (this.#recipients.size === 0) return;
    this.#frames.push({ ...frame, encoded: new Map() });
    this.#schedule();
  }

  /** Queues a frame for one recipient, in its place among the room's. */
  send(recipient: Recipient, json: string): void {
    this.#turnOf(recipient).own.push({ before: this.#frames.length, bytes: encodeTextFrame(json) });
    this.#schedule();
  }

  /** Writes what is queued, at once; normally the end of the turn does it. */
  flush(): void {
    this.#scheduled = false;
    const frames = this.#frames;
    const personal = this.#personal;
    this.#frames = [];
    this.#personal = new Set();
    const turn = new Turn(frames);
    if (frames.length > 0) {
      for (const recipient of this.#recipients) {
        deliver(turn, recipient);
        recipient.turn = null;
      }
    }
    for (const recipient of personal) {
      if (recipient.turn) deliver(turn, recipient);
      recipient.turn = null;
    }
  }

  #turnOf(recipient: Recipient): PersonalTurn {
    recipient.turn ??= { from: this.#recipients.has(recipient) ? 0 : Number.POSITIVE_INFINITY, own: [] };
    this.#personal.add(recipient);
    return recipient.turn;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }
}

/** The frames of one turn, encoded for those who need them, when they first do. */
class Turn {
  readonly #frames: QueuedFrame[];
  readonly #streams = new Map<string, Stream>();
  /** For each spared user, the indices of the frames they are spared. */
  readonly #spared = new Map<number, number[]>();

  constructor(frames: QueuedFrame[]) {
    this.#frames = frames;
    for (const [index, { exceptUserIds = [] }] of frames.entries()) {
      for (const userId of exceptUserIds) {
        const indices = this.#spared.get(userId);
        if (indices) indices.push(index);
        else this.#spared.set(userId, [index]);
      }
    }
  }

  sparedTo(userId: number): number[] | undefined {
    return this.#spared.size === 0 ? undefined : this.#spared.get(userId);
  }

  stream(version: Version, shed: boolean): Stream {
    const key = `${version} ${shed}`;
    let stream = this.#streams.get(key);
    if (!stream) {
      stream = this.#build(version, shed);
      this.#streams.set(key, stream);
    }
    return stream;
  }

  #build(version: Version, shed: boolean): Stream {
    const parts: Buffer[] = [];
    const offsets: number[] = [];
    let offset = 0;
    let isShed = false;
    for (const frame of this.#frames) {
      offsets.push(offset);
      const bytes = encodeOnce(frame, version);
      if (!bytes) continue;
      if (shed && frame.ephemeral) {
        isShed = true;
        continue;
      }
      parts.push(bytes);
      offset += bytes.length;
    }
    offsets.push(offset);
    const [only] = parts;
    return { bytes: parts.length === 1 && only ? only : Buffer.concat(parts, offset), offsets, isShed };
  }
}

function encodeOnce(frame: QueuedFrame, version: Version): Buffer | null {
  let bytes = frame.encoded.get(version);
  if (bytes === undefined) {
    const json = frame.encode(version);
    bytes = json === null ? null : encodeTextFrame(json);
    frame.encoded.set(version, bytes);
  }
  return bytes;
}

function deliver(turn: Turn, recipient: Recipient): void {
  const { line } = recipient;
  if (!recipient.isOpen() || !line.isWritable) return;
  const backlog = line.unsentBytes;
  if (backlog > CLOSE_ABOVE_BYTES) return recipient.onOverflow();
  const stream = turn.stream(recipient.version, backlog > SHED_ABOVE_BYTES);
  if (stream.isShed) recipient.missedEphemeral = true;
  const spared = turn.sparedTo(recipient.userId);
  if (!recipient.turn && !spared) {
    if (stream.bytes.length > 0) line.write([stream.bytes]);
    return;
  }
  line.write(compose(stream, recipient.turn ?? { from: 0, own: [] }, spared ?? []));
}

/** The stream from `from` on, without the spared frames, with the recipient's own in their places. */
function compose({ bytes, offsets }: Stream, { from, own }: PersonalTurn, spared: number[]): Buffer[] {
  const pieces: Buffer[] = [];
  const end = offsets.length - 1;
  let next = Math.min(from, end);
  const copyUpTo = (index: number) => {
    const [start, stop] = [offsets[next] ?? 0, offsets[index] ?? 0];
    if (stop > start) pieces.push(bytes.subarray(start, stop));
    next = Math.max(next, index);
  };
  let skip = 0;
  const copyWithout = (limit: number) => {
    for (let index = spared[skip]; index !== undefined && index < limit; index = spared[++skip]) {
      if (index < next) continue;
      copyUpTo(index);
      next = index + 1;
    }
    copyUpTo(limit);
  };
  for (const { before, bytes: ownBytes } of own) {
    copyWithout(before);
    pieces.push(ownBytes);
  }
  copyWithout(end);
  return pieces;
}
