/** PNG (W3C Recommendation, third edition). */
import { bytesOf, joined, latin1, putU32be, type Source, u32be } from './bytes.ts';
import { EXIF_MAX, isSideways, orientationOf, tinyTiff } from './exif.ts';
import { type Piece, Pieces } from './pieces.ts';

interface Chunk {
  readonly type: string;
  readonly from: number;
  /** Behind its checksum; excluded. */
  readonly to: number;
}

const SIGNATURE = 8;

/** What pixels and colours depend on. Chunks that are not here, and that a decoder may ignore, are not kept. */
const KEPT = new Set([
  ...['PLTE', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'mDCv', 'cLLI', 'cLLi'],
  ...['bKGD', 'pHYs', 'acTL', 'fcTL', 'fdAT'],
]);

/** All chunks up to IEND. It ends early where the file does. */
async function* chunksOf(file: Source): AsyncGenerator<Chunk> {
  let from = SIGNATURE;
  while (file.next()) {
    const head = await file.bytes(from, 8);
    if (head === null) return;
    const type = latin1(head, 4, 4);
    const to = from + 12 + u32be(head, 0);
    if (!/^[A-Za-z]{4}$/.test(type)) return;
    yield { type, from, to };
    if (type === 'IEND' || to > file.size) return;
    from = to;
  }
}

async function exifOrientation(file: Source, chunk: Chunk): Promise<number> {
  const length = Math.min(chunk.to - chunk.from - 12, EXIF_MAX);
  return orientationOf((await file.bytes(chunk.from + 8, length)) ?? new Uint8Array());
}

/** Frames are counted by the header of the animation; browsers turn a PNG as its EXIF says. */
export async function pngSize(
  file: Source,
): Promise<{ width: number; height: number; frames: number } | null> {
  const header = await file.bytes(SIGNATURE, 16);
  if (header === null || latin1(header, 4, 4) !== 'IHDR') return null;
  let frames = 1;
  let orientation = 1;
  let hasPixels = false;
  for await (const chunk of chunksOf(file)) {
    if (chunk.type === 'IDAT') hasPixels = true;
    if (chunk.type === 'eXIf') orientation = await exifOrientation(file, chunk);
    // Behind the pixels it has no meaning.
    if (chunk.type !== 'acTL' || hasPixels) continue;
    frames = Math.max(1, u32be((await file.bytes(chunk.from + 8, 4)) ?? new Uint8Array(), 0));
  }
  const [width, height] = [u32be(header, 8), u32be(header, 12)];
  return isSideways(orientation) ? { width: height, height: width, frames } : { width, height, frames };
}

/**
 * Drops all text, times, EXIF but its orientation, what programs add of their own, and what follows the end. Null when
 * it is shorter than the signature.
 */
export async function stripPng(file: Source): Promise<readonly Piece[] | null> {
  const pieces = new Pieces();
  let hasExif = false;
  if (file.size < SIGNATURE) return null;
  pieces.keep(0, SIGNATURE);
  for await (const chunk of chunksOf(file)) {
    // A capital letter first: no decoder may ignore it (§ 5.4).
    if (/^[A-Z]/.test(chunk.type) || KEPT.has(chunk.type)) {
      pieces.keep(chunk.from, Math.min(chunk.to, file.size));
    } else if (chunk.type === 'eXIf' && !hasExif) {
      hasExif = true;
      const orientation = await exifOrientation(file, chunk);
      if (orientation > 1) pieces.add(chunkOf('eXIf', tinyTiff(orientation)));
    }
  }
  return pieces.all();
}

/** A chunk with its checksum. */
export function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = joined([0, 0, 0, 0], bytesOf(type), data, [0, 0, 0, 0]);
  putU32be(chunk, 0, data.length);
  putU32be(chunk, chunk.length - 4, crc32(chunk.subarray(4, chunk.length - 4)));
  return chunk;
}

/** Annex D. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
