/**
 * Boxes of the ISO base media file format (ISO/IEC 14496-12, § 4.2; in QuickTime, atoms), of which MP4, MOV, HEIF and
 * AVIF are made.
 */
import { latin1, type Source, u32be, u64be } from './bytes.ts';

export interface Box {
  /** Four characters of Latin 1. */
  readonly type: string;
  readonly at: number;
  /** Where its content begins. */
  readonly body: number;
  /** Where it ends; excluded. */
  readonly end: number;
}

/** The box whose header is at `index` of `bytes`, and which begins at `at` of a whole. Null for what cannot be one. */
function boxOf(bytes: Uint8Array, index: number, at: number, limit: number): Box | null {
  const left = bytes.length - index;
  if (left < 8) return null;
  const short = u32be(bytes, index);
  const header = short === 1 ? 16 : 8;
  const length = short === 0 ? limit - at : short === 1 ? u64be(bytes, index + 8) : short;
  if (length < header || left < header) return null;
  return { type: latin1(bytes, index + 4, 4), at, body: at + header, end: at + length };
}

/** The boxes in `bytes`, from `from` to `to`. It ends before the first that is broken. */
export function* boxesIn(bytes: Uint8Array, from: number, to: number): Generator<Box> {
  for (let at = from; at < to; ) {
    const box = boxOf(bytes, at, at, to);
    if (box === null || box.end > to) return;
    yield box;
    at = box.end;
  }
}

/** The boxes of a file. It ends before what is none. The last one may end beyond the file, which was cut then. */
export async function* boxesOf(file: Source): AsyncGenerator<Box> {
  let at = 0;
  while (at < file.size && file.next()) {
    const head = await file.bytes(at, Math.min(16, file.size - at));
    const box = head && boxOf(head, 0, at, file.size);
    if (box === null || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) return;
    yield box;
    at = box.end;
  }
}

/** The first box that a path of types leads to, such as `trak`, `mdia`, `hdlr`. */
export function findBox(bytes: Uint8Array, from: number, to: number, ...path: readonly string[]): Box | null {
  for (const box of boxesIn(bytes, from, to)) {
    if (box.type !== path[0]) continue;
    const found = path.length === 1 ? box : findBox(bytes, box.body, box.end, ...path.slice(1));
    if (found !== null) return found;
  }
  return null;
}
