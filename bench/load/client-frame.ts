/** What a client sends (RFC 6455 §5.2): final, masked frames, made by hand so that the load side costs little. */

const FIN_TEXT = 0x81;
const FIN_PONG = 0x8a;
const MASKED = 0x80;
/** Not zero: a server may skip the unmasking then, which no real client lets it. */
const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** An unsolicited pong (§5.5.3): it says "alive", whatever the ping carried. */
export const PONG = Buffer.concat([Buffer.from([FIN_PONG, MASKED]), MASK]);

/** One masked text frame; up to 65 535 bytes of payload are enough here. */
export function encodeClientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([FIN_TEXT, MASKED | payload.length])
      : Buffer.from([FIN_TEXT, MASKED | 126, payload.length >> 8, payload.length & 0xff]);
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (MASK[index & 3] ?? 0);
  return Buffer.concat([header, MASK, payload]);
}
