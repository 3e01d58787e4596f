/**
 * A socket's outgoing side. Node reports a write only when all of it is done, and gathers everything that waited behind
 * it into the next write: of a megabyte on a slow connection nothing is reported for a minute. Writing in slices makes
 * the progress visible.
 */
import type { Socket } from 'node:net';
import { encodeTextFrame, textFrameLength, writeTextFrame } from './text-frame.ts';

/** The bytes of whole frames, or the JSON of a text frame that no other socket gets. */
export type Piece = Buffer | string;

/** More than a busy room sends in a turn, so that a turn stays one system call. */
const SLICE_BYTES = 64 * 1024;
/** Up to this size shared bytes are copied, so that they are in one buffer with the other pieces of a turn. */
const COPY_UP_TO_BYTES = 4096;
/** Up to this size the pieces of a turn are joined. As much is kept for a socket that takes only a part of them. */
const JOIN_UP_TO_BYTES = 16 * 1024;
/** A socket is stalled when no slice got through for this long. */
const STALLED_AFTER_MS = 10_000;

/** From a socket to its writer, for methods that all sockets share: closures would cost each idle socket 300 bytes. */
const WRITER = Symbol('writer');

type WrittenSocket = Socket & { readonly [WRITER]: SocketWriter };
type Done = (error?: Error | null) => void;
type Chunk = { chunk: Buffer | string; encoding: BufferEncoding };

/**
 * Where the pieces of a turn are joined. A socket mostly takes all bytes at once, so they are free again when the write
 * returns. A buffer for each write would be garbage that V8 collects late, and whose memory the process never gives
 * back: after a wave of connections that was 12 KiB a socket.
 */
let joined = Buffer.allocUnsafeSlow(JOIN_UP_TO_BYTES);

export class SocketWriter {
  static readonly #methods = {
    _write(this: WrittenSocket, chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
      const writer = this[WRITER];
      // A write begins only when the one before it is done.
      writer.#progress++;
      if (chunk.length <= SLICE_BYTES) writer.#handOver(chunk, encoding, done);
      else writer.#writeAll(slicesOf([{ chunk, encoding }]), done);
    },
    _writev(this: WrittenSocket, chunks: Chunk[], done: Done): void {
      this[WRITER].#progress++;
      this[WRITER].#writeAll(slicesOf(chunks), done);
    },
  };

  readonly #socket: Socket;
  /** The bytes of the current write that got through. */
  #through = 0;
  /** Grows whenever a slice got through. */
  #progress = 0;
  #seenProgress = 0;
  #progressAt = performance.now();
  /** Pieces that wait for the end of the turn. */
  #queued: Piece[] | null = null;

  /** Takes over how the socket writes, through the methods that Node reserves for stream implementations. */
  constructor(socket: Socket) {
    this.#socket = socket;
    Object.assign(socket, { [WRITER]: this }, SocketWriter.#methods);
  }

  get isWritable(): boolean {
    return this.#socket.writable;
  }

  /** The bytes that the operating system has not accepted yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength - this.#through;
  }

  /** Keeps pieces until the next `write` or `flush`. */
  put(pieces: readonly Piece[]): void {
    if (this.#queued) this.#queued.push(...pieces);
    else this.#queued = [...pieces];
  }

  /** Writes the pieces that were put. */
  flush(): void {
    if (this.#queued && this.isWritable) this.write([]);
    this.#queued = null;
  }

  /** Writes all pieces in order, after those that were put: one write to the operating system. */
  write(newest: readonly Piece[]): void {
    const pieces = this.#queued ? [...this.#queued, ...newest] : newest;
    this.#queued = null;
    const [only] = pieces;
    if (pieces.length === 1 && typeof only === 'object') {
      if (only.length > 0) this.#socket.write(only);
      return;
    }
    let length = 0;
    let shared = 0;
    for (const piece of pieces) {
      if (typeof piece === 'string') length += textFrameLength(piece);
      else shared += piece.length;
    }
    length += shared;
    if (length === 0) return;
    if (shared <= COPY_UP_TO_BYTES && length <= JOIN_UP_TO_BYTES) return this.#writeJoined(pieces, length);
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(bytesOf(piece));
    this.#socket.uncork();
  }

  /** Copying a few bytes into one buffer costs less than passing on several. */
  #writeJoined(pieces: readonly Piece[], length: number): void {
    const socket = this.#socket;
    const mayKeep = socket.writableLength > 0;
    const bytes = mayKeep ? Buffer.allocUnsafe(length) : joined.subarray(0, length);
    let at = 0;
    for (const piece of pieces) {
      if (typeof piece === 'string') at = writeTextFrame(bytes, at, piece);
      else at += piece.copy(bytes, at);
    }
    socket.write(bytes);
    // The socket reads the rest from these bytes later.
    if (!mayKeep && socket.writableLength > 0) joined = Buffer.allocUnsafeSlow(JOIN_UP_TO_BYTES);
  }

  /** The process has stood still for so long. */
  stoodStill(ms: number): void {
    this.#progressAt += ms;
  }

  /** Whether nothing got through for too long, as far as earlier calls have seen; `now` is monotonic milliseconds. */
  isStalled(now: number): boolean {
    if (this.unsentBytes === 0 || this.#progress !== this.#seenProgress) {
      this.#seenProgress = this.#progress;
      this.#progressAt = now;
    }
    return now - this.#progressAt > STALLED_AFTER_MS;
  }

  /** Writes as the socket's own class does. */
  #handOver(chunk: Buffer | string, encoding: BufferEncoding | 'buffer', done: Done): void {
    const { _write: write } = Object.getPrototypeOf(this.#socket) as Socket;
    write.call(this.#socket, chunk, encoding as BufferEncoding, done);
  }

  /** Writes one slice after the other. A loop, as a slice that is accepted at once is done before its call returns. */
  #writeAll(slices: Iterator<Buffer>, done: Done): void {
    const finish = (error?: Error | null) => {
      this.#through = 0;
      done(error);
    };
    const goOn = (): void => {
      for (;;) {
        const { value: slice, done: isEnd } = slices.next();
        if (isEnd) return finish();
        let isThrough = false;
        let hasReturned = false;
        this.#handOver(slice, 'buffer', (error) => {
          if (error) return finish(error);
          this.#through += slice.length;
          this.#progress++;
          isThrough = true;
          if (hasReturned) goOn();
        });
        hasReturned = true;
        if (!isThrough) return;
      }
    };
    goOn();
  }
}

function bytesOf(piece: Piece): Buffer {
  return typeof piece === 'string' ? encodeTextFrame(piece) : piece;
}

/** The same bytes in slices: large chunks are cut, and small ones share a slice. */
function* slicesOf(chunks: Iterable<Chunk>): Generator<Buffer> {
  let small: Buffer[] = [];
  let smallBytes = 0;
  for (const { chunk, encoding } of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    if (smallBytes > 0 && smallBytes + bytes.length > SLICE_BYTES) {
      yield Buffer.concat(small, smallBytes);
      small = [];
      smallBytes = 0;
    }
    if (bytes.length > SLICE_BYTES) {
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
      continue;
    }
    small.push(bytes);
    smallBytes += bytes.length;
  }
  if (smallBytes > 0) yield Buffer.concat(small, smallBytes);
}
