/**
 * Reading of files that may be large, broken or hostile: a few bytes at a time, and never more than a bound. Numbers
 * beyond the end of an array are read as 0, so that no parser throws on a short one.
 */

/**
 * Reads `length` bytes at `offset` into a new array, fewer only where the file ends. What it throws is passed on: an
 * error of the disk or the network is none of the file.
 */
export type Read = (offset: number, length: number) => Promise<Uint8Array>;

/** The most bytes that are in memory at once as a window of the file. */
const WINDOW = 65_536;
/** The most bytes of one structure that is read whole: the header of a film of ten hours has 10 MiB. */
export const WHOLE_MAX = 16 * 1024 * 1024;
/** The most parts of a file (segments, chunks, boxes) that are followed. It bounds the time. */
const PARTS_MAX = 1_000_000;

export interface Source {
  readonly size: number;
  /** Whether another part may be followed. Once it is false, the rest of the file stays unknown. */
  next(): boolean;
  /** Whether `next` was false. */
  isSpent(): boolean;
  /** The `length` bytes at `offset`. Null where the file ends before them, or `length` is over `WHOLE_MAX`. */
  bytes(offset: number, length: number): Promise<Uint8Array | null>;
  /** Some of the bytes from `offset` on, at least `least` (1), or as many as the file still has. */
  from(offset: number, least?: number): Promise<Uint8Array>;
}

/** A file behind a window, so that neighbouring reads cost one. */
export function sourceOf(read: Read, size: number): Source {
  let parts = 0;
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  const from = async (offset: number, least: number): Promise<Uint8Array> => {
    if (offset < start || offset + least > start + window.length) {
      window = await read(offset, Math.max(0, Math.min(Math.max(WINDOW, least), size - offset)));
      start = offset;
    }
    return window.subarray(offset - start);
  };
  return {
    size,
    next: () => ++parts <= PARTS_MAX,
    isSpent: () => parts > PARTS_MAX,
    bytes: async (offset, length) => {
      if (offset < 0 || length < 0 || length > WHOLE_MAX || offset + length > size) return null;
      const found = await from(offset, length);
      return found.length < length ? null : found.subarray(0, length);
    },
    from: async (offset, least = 1) =>
      offset < 0 || offset >= size ? new Uint8Array() : await from(offset, Math.min(least, size - offset)),
  };
}

/** A `Read` of bytes that are in memory. */
export function readOf(bytes: Uint8Array): Read {
  return async (offset, length) => bytes.subarray(offset, offset + length);
}

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16be(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x100 + u8(bytes, at + 1);
}

export function u32be(bytes: Uint8Array, at: number): number {
  return u16be(bytes, at) * 0x1_0000 + u16be(bytes, at + 2);
}

/** Above 2^53 it is not exact, and larger than any file: no caller takes such an offset. */
export function u64be(bytes: Uint8Array, at: number): number {
  return u32be(bytes, at) * 0x1_0000_0000 + u32be(bytes, at + 4);
}

export function u16le(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) + u8(bytes, at + 1) * 0x100;
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u8(bytes, at + 2) * 0x1_0000;
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 0x1_0000;
}

export function putU32be(bytes: Uint8Array, at: number, value: number): void {
  bytes.set([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255], at);
}

export function putU32le(bytes: Uint8Array, at: number, value: number): void {
  bytes.set([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24], at);
}

/** `length` bytes as characters of Latin 1, such as the names of chunks and boxes. */
export function latin1(bytes: Uint8Array, at: number, length: number): string {
  let text = '';
  for (let index = at; index < Math.min(at + length, bytes.length); index++)
    text += String.fromCharCode(u8(bytes, index));
  return text;
}

/** The bytes of a text of Latin 1. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
