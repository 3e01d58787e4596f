/** Encodes client frames (RFC 6455 §5.2), final and masked. They are built by hand to keep the load side cheap. */

const FIN_TEXT = 0x81;
const FIN_PONG = 0x8a;
const MASKED = 0x80;
/** Not zero, because a server may skip the unmasking for a zero mask. Real clients do not use one. */
const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** An unsolicited pong (§5.5.3). It shows that the client is alive, whatever payload the ping had. */
export const PONG = Buffer.concat([Buffer.from([FIN_PONG, MASKED]), MASK]);

/** One masked text frame, with a payload of at most 65 535 bytes. */
export function encodeClientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([FIN_TEXT, MASKED | payload.length])
      : Buffer.from([FIN_TEXT, MASKED | 126, payload.length >> 8, payload.length & 0xff]);
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (MASK[index & 3] ?? 0);
  return Buffer.concat([header, MASK, payload]);
}
