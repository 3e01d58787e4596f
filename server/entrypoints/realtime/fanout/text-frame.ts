/** Framing (RFC 6455 §5.2): text frames from a server are final, unmasked and never compressed. */

const FIN_TEXT = 0x81;

/** The bytes of the whole frame. */
export function textFrameLength(json: string): number {
  const length = Buffer.byteLength(json);
  return headerLength(length) + length;
}

/** Writes the whole frame into these bytes, from `at` on, and returns the place after it. */
export function writeTextFrame(into: Buffer, at: number, json: string): number {
  const length = Buffer.byteLength(json);
  const header = headerLength(length);
  into[at] = FIN_TEXT;
  if (header === 2) {
    into[at + 1] = length;
  } else if (header === 4) {
    into[at + 1] = 126;
    into.writeUInt16BE(length, at + 2);
  } else {
    into[at + 1] = 127;
    into.writeBigUInt64BE(BigInt(length), at + 2);
  }
  into.write(json, at + header, 'utf8');
  return at + header + length;
}

/** One whole text frame, whose bytes several sockets may share. */
export function encodeTextFrame(json: string): Buffer {
  const frame = Buffer.allocUnsafe(textFrameLength(json));
  writeTextFrame(frame, 0, json);
  return frame;
}

function headerLength(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}
