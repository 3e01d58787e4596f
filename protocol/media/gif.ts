/** GIF89a (CompuServe, 1990). */
import { type Source, u8, u16le } from './bytes.ts';

const IMAGE = 0x2c;
const EXTENSION = 0x21;

/** The screen, and the number of images. Images behind a place that is broken, or behind a million blocks, are not counted. */
export async function gifSize(
  file: Source,
): Promise<{ width: number; height: number; frames: number } | null> {
  const screen = await file.bytes(0, 13);
  if (screen === null) return null;
  let frames = 0;
  let at: number | null = 13 + colours(u8(screen, 10));
  while (at !== null && file.next()) {
    const block: Uint8Array | null = await file.bytes(at, 2);
    if (block === null) break;
    if (u8(block, 0) === IMAGE) {
      const flags: Uint8Array | null = await file.bytes(at + 9, 1);
      if (flags === null) break;
      frames += 1;
      // Its place, its own colours, and the size of its codes.
      at = await dataEnd(file, at + 10 + colours(u8(flags, 0)) + 1);
    } else if (u8(block, 0) === EXTENSION) at = await dataEnd(file, at + 2);
    else break;
  }
  return frames === 0 ? null : { width: u16le(screen, 6), height: u16le(screen, 8), frames };
}

/** The bytes of a table of colours; 0 when its flags say that there is none. */
function colours(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Behind a chain of blocks of data, of which the last one is empty. Null where the file ends before. */
async function dataEnd(file: Source, from: number): Promise<number | null> {
  let at = from;
  for (;;) {
    const bytes = await file.from(at);
    if (bytes.length === 0) return null;
    let index = 0;
    while (index < bytes.length) {
      const length = u8(bytes, index);
      index += 1 + length;
      if (length === 0) return at + index;
    }
    at += index;
  }
}
