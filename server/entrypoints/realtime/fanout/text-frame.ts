/** Framing (RFC 6455 §5.2): text frames from a server are final, unmasked and never compressed. */

const FIN_TEXT = 0x81;

/** One whole text frame, ready for the socket. */
export function encodeTextFrame(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FIN_TEXT;
  if (header === 2) {
    frame[1] = length;
  } else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(json, header, 'utf8');
  return frame;
}
