/** Builds files from their parts. Numbers are big-endian, except where a name says `le`. */
import { bytesOf, joined, putU32be, putU32le } from '../bytes.ts';

/** Bytes, or a text of Latin 1. */
export type Part = Uint8Array | readonly number[] | string;

export function cat(...parts: readonly Part[]): Uint8Array {
  return joined(...parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part)));
}

export function be16(...values: readonly number[]): number[] {
  return values.flatMap((value) => [(value >> 8) & 255, value & 255]);
}

export function be32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  for (const [index, value] of values.entries()) putU32be(bytes, index * 4, value);
  return bytes;
}

export function le32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  for (const [index, value] of values.entries()) putU32le(bytes, index * 4, value);
  return bytes;
}

export function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}

/** A segment of JPEG. */
export function segment(marker: number, ...parts: readonly Part[]): Uint8Array {
  const body = cat(...parts);
  return cat([0xff, marker], be16(body.length + 2), body);
}

/** A box of MP4 or HEIF. */
export function box(type: string, ...parts: readonly Part[]): Uint8Array {
  const body = cat(...parts);
  return cat(be32(body.length + 8), type, body);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Part[]): Uint8Array {
  return box(type, be32(version * 0x100_0000 + flags), ...parts);
}

/** A chunk of WebP or WAVE. */
export function riffChunk(type: string, ...parts: readonly Part[]): Uint8Array {
  const body = cat(...parts);
  return cat(type, le32(body.length), body, zeros(body.length % 2));
}

export function riff(form: string, ...chunks: readonly Uint8Array[]): Uint8Array {
  return riffChunk('RIFF', form, ...chunks);
}
