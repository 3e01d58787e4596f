/**
 * Boxes of the ISO base media file format (ISO/IEC 14496-12, § 4.2; in QuickTime, atoms), of which MP4, MOV, HEIF and
 * AVIF are made.
 */
import { latin1, PARTS_MAX, type Source, u32be, u64be } from './bytes.ts';

export interface Box {
  /** Four characters of Latin 1. */
  readonly type: string;
  readonly at: number;
  /** Where its content begins. */
  readonly body: number;
  /** Where it ends; excluded. */
  readonly end: number;
}

/** A box whose header is in `head` and which begins at `at`. Null for what cannot be one. */
function boxOf(head: Uint8Array, at: number, limit: number): Box | null {
  if (head.length < 8) return null;
  const short = u32be(head, 0);
  const header = short === 1 ? 16 : 8;
  const length = short === 0 ? limit - at : short === 1 ? u64be(head, 8) : short;
  if (length < header || head.length < header) return null;
  return { type: latin1(head, 4, 4), at, body: at + header, end: at + length };
}

/** The boxes in `bytes`, from `from` to `to`. It ends before the first that is broken. */
export function* boxesIn(bytes: Uint8Array, from: number, to: number): Generator<Box> {
  for (let at = from; at < to; ) {
    const box = boxOf(bytes.subarray(at, Math.min(to, at + 16)), at, to);
    if (box === null || box.end > to) return;
    yield box;
    at = box.end;
  }
}

/** The boxes of a file. It ends before what is none. The last one may end beyond the file, which was cut then. */
export async function* boxesOf(file: Source): AsyncGenerator<Box> {
  let at = 0;
  for (let parts = 0; at < file.size && parts < PARTS_MAX; parts++) {
    const head = await file.bytes(at, Math.min(16, file.size - at));
    const box = head && boxOf(head, at, file.size);
    if (box === null || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) return;
    yield box;
    at = box.end;
  }
}

/** The first box that a path of types leads to, such as `trak mdia hdlr`. */
export function findBox(bytes: Uint8Array, from: number, to: number, path: string): Box | null {
  const [type, ...rest] = path.split(' ');
  for (const box of boxesIn(bytes, from, to)) {
    if (box.type !== type) continue;
    if (rest.length === 0) return box;
    const found = findBox(bytes, box.body, box.end, rest.join(' '));
    if (found !== null) return found;
  }
  return null;
}
