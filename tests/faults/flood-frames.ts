/** The bytes that a hostile client can send without end, built once. */
import { randomBytes } from 'node:crypto';

interface Flood {
  /** Written once. */
  readonly start: Buffer;
  /** Written repeatedly. */
  readonly more: Buffer;
}

export const FLOODS = {
  'empty fragments': fragments(''),
  'tiny fragments': fragments('a'),
  pings: repeated(frame(0x89, 'x'), 2000),
  pongs: repeated(frame(0x8a, 'x'), 2000),
  messages: repeated(frame(0x81, JSON.stringify({ type: 'message', content: 'flood' })), 500),
  'long messages': repeated(frame(0x81, JSON.stringify({ type: 'message', content: 'x'.repeat(4000) })), 20),
  typing: repeated(frame(0x81, JSON.stringify({ type: 'typing', is_typing: true })), 500),
  'application pings': repeated(frame(0x81, JSON.stringify({ type: 'ping' })), 500),
  rubbish: repeated(frame(0x81, 'rubbish'), 1000),
  'binary frames': repeated(frame(0x82, 'x'), 2000),
  'oversize frames': repeated(frame(0x81, 'x'.repeat(65_537)), 2),
  'messages after a close': {
    start: frame(0x88, ''),
    more: repeated(frame(0x81, JSON.stringify({ type: 'message', content: 'flood' })), 500).more,
  },
} satisfies Record<string, Flood>;

export type FloodName = keyof typeof FLOODS;

function fragments(payload: string): Flood {
  return { start: frame(0x01, payload), more: Buffer.concat(Array(2000).fill(frame(0x00, payload))) };
}

function repeated(one: Buffer, times: number): Flood {
  return { start: Buffer.alloc(0), more: Buffer.concat(Array(times).fill(one)) };
}

/** A masked client frame (RFC 6455 §5.2). */
function frame(firstByte: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const length = payload.length;
  const head =
    length < 126
      ? Buffer.from([firstByte, 0x80 | length])
      : length < 65_536
        ? Buffer.from([firstByte, 0xfe, length >> 8, length & 0xff])
        : Buffer.from([firstByte, 0xff, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 0xff, length & 0xff]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
