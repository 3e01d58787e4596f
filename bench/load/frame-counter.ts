/** Counts the frames in a stream by hopping from header to header; no payload is looked at. */

const PING = 0x9;
const CLOSE = 0x8;
const LONGEST_HEADER = 10;

export class FrameCounter {
  /** Text and binary frames whose header has arrived. */
  frames = 0;
  pings = 0;
  isClosed = false;
  /** Bytes of the present frame's payload that are still to come. */
  #ahead = 0;
  readonly #header = Buffer.alloc(LONGEST_HEADER);
  #headerLength = 0;

  /** Takes the next `length` bytes of the stream. */
  take(bytes: Buffer, length: number): void {
    let at = this.#headerLength > 0 ? this.#finishHeader(bytes, length) : this.#ahead;
    while (at < length) {
      const size = headerSize(bytes, at, length - at);
      if (size === 0) {
        bytes.copy(this.#header, 0, at, length);
        this.#headerLength = length - at;
        this.#ahead = 0;
        return;
      }
      this.#note(bytes[at] ?? 0);
      at += size + payloadSize(bytes, at);
    }
    this.#ahead = at - length;
  }

  /** A header that was cut by a chunk's end; returns where the next header stands in `bytes`. */
  #finishHeader(bytes: Buffer, length: number): number {
    for (let used = 0; used < length; ) {
      this.#header[this.#headerLength++] = bytes[used++] ?? 0;
      if (headerSize(this.#header, 0, this.#headerLength) === 0) continue;
      this.#headerLength = 0;
      this.#note(this.#header[0] ?? 0);
      return used + payloadSize(this.#header, 0);
    }
    return length;
  }

  #note(first: number): void {
    const opcode = first & 0x0f;
    if (opcode < CLOSE) this.frames++;
    else if (opcode === PING) this.pings++;
    else if (opcode === CLOSE) this.isClosed = true;
  }
}

/** The bytes of the header at `at`, or 0 when fewer than that are there. Servers do not mask. */
function headerSize(bytes: Buffer, at: number, available: number): number {
  if (available < 2) return 0;
  const short = bytes[at + 1] ?? 0;
  const size = short < 126 ? 2 : short === 126 ? 4 : LONGEST_HEADER;
  return size <= available ? size : 0;
}

function payloadSize(bytes: Buffer, at: number): number {
  const short = bytes[at + 1] ?? 0;
  if (short < 126) return short;
  return short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
}
