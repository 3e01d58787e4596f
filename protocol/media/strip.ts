/**
 * Removes what a picture or a video tells of its place, its device and its time. Nothing is decoded: pixels, sound,
 * colour and orientation stay as they are.
 */
import { type Read, type Source, sourceOf } from './bytes.ts';
import { stripJpeg } from './jpeg.ts';
import type { FileKind } from './kinds.ts';
import { stripBoxes } from './movie-strip.ts';
import type { Piece } from './pieces.ts';
import { stripPng } from './png.ts';
import { stripWebp } from './webp.ts';

/**
 * The new file as pieces of the old one, in order; none of them is empty. Kinds that are not stripped (all but JPEG,
 * PNG, WebP, HEIC, AVIF, MP4 and MOV) are one piece.
 *
 * Null when the file is too broken, too long in its header (16 MiB) or in too many parts to tell: it must not be served
 * then, as nobody knows what it tells. It reads 64 KiB at a time, and headers of films whole. It throws only what
 * `read` throws.
 */
export async function stripPlan(kind: FileKind, read: Read, size: number): Promise<readonly Piece[] | null> {
  const file = sourceOf(read, size);
  const pieces = await piecesOf(kind, file);
  return file.isSpent() ? null : pieces;
}

async function piecesOf(kind: FileKind, file: Source): Promise<readonly Piece[] | null> {
  switch (kind) {
    case 'jpeg':
      return await stripJpeg(file);
    case 'png':
      return await stripPng(file);
    case 'webp':
      return await stripWebp(file);
    case 'heic':
    case 'avif':
      return await stripBoxes(file, true);
    case 'mp4':
    case 'mov':
      return await stripBoxes(file, false);
    default:
      return file.size === 0 ? [] : [{ from: 0, to: file.size }];
  }
}

/** The bytes of a new file. */
export function strippedSize(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
}

function lengthOf(piece: Piece): number {
  if ('bytes' in piece) return piece.bytes.length;
  return 'zeros' in piece ? piece.zeros : piece.to - piece.from;
}

/** The bytes of a new file, part by part, none longer than 1 MiB. */
export async function* strippedBytes(pieces: readonly Piece[], read: Read): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const length = lengthOf(piece);
    for (let done = 0; done < length; ) {
      const part = Math.min(PART, length - done);
      if ('bytes' in piece) yield piece.bytes.subarray(done, done + part);
      else if ('zeros' in piece) yield new Uint8Array(part);
      else yield await read(piece.from + done, part);
      done += part;
    }
  }
}

const PART = 1024 * 1024;
