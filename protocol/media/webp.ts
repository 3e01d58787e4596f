/** WebP (RFC 9649). */
import { bytesOf, joined, latin1, putU32le, type Source, u8, u16le, u24le, u32le } from './bytes.ts';
import { EXIF_MAX, orientationOf, tinyTiff } from './exif.ts';
import { PIECES_MAX, type Piece, Pieces } from './pieces.ts';

interface Chunk {
  readonly type: string;
  readonly from: number;
  /** Behind its padding; excluded. */
  readonly to: number;
}

const HEADER = 12;
/** Flags of the chunk VP8X (§ 2.7.1). */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

const KEPT = new Set(['ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);

/** All chunks within the size that the file says of itself. It ends early where the file does. */
async function* chunksOf(file: Source): AsyncGenerator<Chunk> {
  const header = await file.bytes(0, HEADER);
  if (header === null) return;
  const end = Math.min(file.size, 8 + u32le(header, 4));
  let from = HEADER;
  while (from < end && file.next()) {
    const head = await file.bytes(from, 8);
    if (head === null) return;
    const length = u32le(head, 4);
    const to = from + 8 + length + (length % 2);
    yield { type: latin1(head, 0, 4), from, to };
    from = to;
  }
}

/**
 * The canvas, and the number of frames. The orientation is not applied: browsers do not turn a WebP by its EXIF.
 */
export async function webpSize(
  file: Source,
): Promise<{ width: number; height: number; frames: number } | null> {
  let canvas: { width: number; height: number } | null = null;
  let frames = 0;
  for await (const chunk of chunksOf(file)) {
    const body = (await file.bytes(chunk.from + 8, 10)) ?? new Uint8Array();
    if (chunk.type === 'ANMF') frames += 1;
    if (chunk.type === 'VP8X') canvas ??= { width: u24le(body, 4) + 1, height: u24le(body, 7) + 1 };
    if (chunk.type === 'VP8 ') canvas ??= lossySize(body);
    if (chunk.type === 'VP8L') canvas ??= losslessSize(body);
  }
  return canvas === null ? null : { ...canvas, frames: Math.max(1, frames) };
}

/** The header of a key frame of VP8 (RFC 6386, § 9.1). */
function lossySize(frame: Uint8Array): { width: number; height: number } | null {
  if (u24le(frame, 3) !== 0x2a019d) return null;
  return { width: u16le(frame, 6) & 0x3fff, height: u16le(frame, 8) & 0x3fff };
}

/** The header of a lossless picture (§ 3.4): two numbers of 14 bits. */
function losslessSize(head: Uint8Array): { width: number; height: number } | null {
  if (u8(head, 0) !== 0x2f) return null;
  const bits = u32le(head, 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Drops EXIF but its orientation, XMP, what is unknown, and what follows the end. */
export async function stripWebp(file: Source): Promise<readonly Piece[] | null> {
  const parts: { chunk: Chunk; bytes?: Uint8Array }[] = [];
  let orientation: number | undefined;
  for await (const chunk of chunksOf(file)) {
    if (chunk.type === 'EXIF' && orientation === undefined) {
      const length = Math.min(chunk.to - chunk.from - 8, EXIF_MAX, file.size - chunk.from - 8);
      orientation = orientationOf((await file.bytes(chunk.from + 8, length)) ?? new Uint8Array());
      if (orientation > 1) parts.push({ chunk, bytes: chunkOf('EXIF', tinyTiff(orientation)) });
    } else if (chunk.type === 'VP8X') {
      const bytes = chunk.to - chunk.from === 18 ? await file.bytes(chunk.from, 18) : null;
      if (bytes === null) return null;
      parts.push({ chunk, bytes: bytes.slice() });
    } else if (KEPT.has(chunk.type)) parts.push({ chunk });
    if (parts.length > PIECES_MAX) return null;
  }
  for (const { chunk, bytes } of parts) {
    if (chunk.type !== 'VP8X' || bytes === undefined) continue;
    bytes[8] = (u8(bytes, 8) & ~(HAS_EXIF | HAS_XMP)) | ((orientation ?? 1) > 1 ? HAS_EXIF : 0);
  }
  return piecesOf(parts, file.size);
}

/** The chunks behind a header with their size. */
function piecesOf(
  parts: readonly { chunk: Chunk; bytes?: Uint8Array }[],
  size: number,
): readonly Piece[] | null {
  const pieces = new Pieces();
  const lengths = parts.map(({ chunk, bytes }) => bytes?.length ?? chunk.to - chunk.from);
  const header = joined(bytesOf('RIFF\0\0\0\0WEBP'));
  putU32le(
    header,
    4,
    lengths.reduce((sum, length) => sum + length, 4),
  );
  pieces.add(header);
  for (const { chunk, bytes } of parts) {
    if (bytes === undefined) pieces.keep(chunk.from, Math.min(chunk.to, size));
    else pieces.add(bytes);
  }
  return parts.length === 0 ? null : pieces.all();
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = joined(bytesOf(`${type}\0\0\0\0`), data);
  putU32le(chunk, 4, data.length);
  return chunk;
}
