/** The client's side of framing (RFC 6455 §5.2). Sent frames are masked; received frames are whole and small. */

export const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;

/** A frame from a client. Its mask is zero, so the payload stays as it is. */
export function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 6 : 8);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (length < 126 ? length : 126);
  if (length >= 126) header.writeUInt16BE(length, 2);
  return Buffer.concat([header, payload]);
}

export interface Frame {
  opcode: number;
  payload: Buffer;
}

/** Splits the server's bytes into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(bytes: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const frame = this.#next();
      if (frame === null) return;
      yield frame;
    }
  }

  #next(): Frame | null {
    const rest = this.#rest;
    const short = (rest[1] ?? 0) & 0x7f;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < header) return null;
    const length =
      header === 2 ? short : header === 4 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < header + length) return null;
    this.#rest = rest.subarray(header + length);
    return { opcode: (rest[0] ?? 0) & 0x0f, payload: rest.subarray(header, header + length) };
  }
}
