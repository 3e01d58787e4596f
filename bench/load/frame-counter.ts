/** Counts the frames in a stream by skipping from header to header. It does not read payloads. */

const PING = 0x9;
const CLOSE = 0x8;
const LONGEST_HEADER = 10;

export class FrameCounter {
  /** The number of text and binary frames whose header has arrived. */
  frames = 0;
  pings = 0;
  isClosed = false;
  /** Bytes of the current frame's payload that have not arrived. */
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

  /** Completes a header that the end of a chunk cut; returns the offset of the next header in `bytes`. */
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

/** The size of the header at `at`, or 0 when it is not complete. Servers do not mask. */
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
