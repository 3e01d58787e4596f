/**
 * A socket's outgoing side. Node says of a write only when all of it is done, and gathers all that waited behind it into
 * the next one: of a megabyte on a slow line nothing is heard for a minute. Written in slices, its progress can be seen.
 */
import type { Socket } from 'node:net';

/** Above what a busy room says in a turn, which so stays one call of the system. */
const SLICE_BYTES = 64 * 1024;
/** What one recipient gets in a turn is copied into one buffer up to here; beyond it the shared bytes are not copied. */
const COPY_UP_TO_BYTES = 4096;
/** Who has not taken a slice for so long is stalled. */
const STALLED_AFTER_MS = 10_000;

/** From a socket to its line, for methods that all sockets share: closures of its own would cost an idle one 300 bytes. */
const LINE = Symbol('line');

type LinedSocket = Socket & { readonly [LINE]: Line };
type Done = (error?: Error | null) => void;
type Chunk = { chunk: Buffer | string; encoding: BufferEncoding };

export class Line {
  static readonly #methods = {
    _write(this: LinedSocket, chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
      const line = this[LINE];
      // A write begins only when the one before it is done.
      line.#progress++;
      if (chunk.length <= SLICE_BYTES) line.#handOver(chunk, encoding, done);
      else line.#writeAll(slicesOf([{ chunk, encoding }]), done);
    },
    _writev(this: LinedSocket, chunks: Chunk[], done: Done): void {
      this[LINE].#progress++;
      this[LINE].#writeAll(slicesOf(chunks), done);
    },
  };

  readonly #socket: Socket;
  /** Of the write that runs, the bytes that are through. */
  #through = 0;
  /** Grows whenever something is through. */
  #progress = 0;
  #seenProgress = 0;
  #progressAt = performance.now();

  /** Takes over how the socket writes, by the methods that Node leaves to those who implement a stream. */
  constructor(socket: Socket) {
    this.#socket = socket;
    Object.assign(socket, { [LINE]: this }, Line.#methods);
  }

  get isWritable(): boolean {
    return this.#socket.writable;
  }

  /** What the system has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength - this.#through;
  }

  /** Writes all of it, in order. Copying a few bytes together costs less than handing over several buffers. */
  write(pieces: readonly Buffer[]): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const [only] = pieces;
    if (length === 0) return;
    if (pieces.length === 1 && only) return void this.#socket.write(only);
    if (length <= COPY_UP_TO_BYTES) return void this.#socket.write(Buffer.concat(pieces, length));
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    this.#socket.uncork();
  }

  /** Whether nothing has got through for too long, as far as is known from the calls; `now` is monotonic milliseconds. */
  isStalled(now: number): boolean {
    if (this.unsentBytes === 0 || this.#progress !== this.#seenProgress) {
      this.#seenProgress = this.#progress;
      this.#progressAt = now;
    }
    return now - this.#progressAt > STALLED_AFTER_MS;
  }

  /** Writes as the socket would without a line: as its class does, whichever that is. */
  #handOver(chunk: Buffer | string, encoding: BufferEncoding | 'buffer', done: Done): void {
    const { _write: write } = Object.getPrototypeOf(this.#socket) as Socket;
    write.call(this.#socket, chunk, encoding as BufferEncoding, done);
  }

  /** One slice after the other; in a loop, as a slice that the system takes at once is done before the call returns. */
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

/** The same bytes in parts of at most a slice: large chunks are cut, and small ones share a part. */
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
