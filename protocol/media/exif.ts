/** The orientation of a picture in its EXIF block, which is a TIFF (Exif 2.32, §§ 4.5 and 4.6.4). */
import { bytesOf, joined, latin1, u16be, u16le, u32be, u32le } from './bytes.ts';

const ORIENTATION = 0x0112;
const SHORT = 3;

/** JPEG begins its EXIF with this; some programs write it into PNG and WebP, too. */
export const EXIF_PREFIX = bytesOf('Exif\0\0');
/** The longest EXIF block that is read: JPEG has no room for a longer one. */
export const EXIF_MAX = 65_536;

/**
 * 1 to 8: which turn and mirroring shows the picture upright. 1 where the block does not say it, or is broken. Only the
 * first directory counts: a second one is of the thumbnail.
 */
export function orientationOf(block: Uint8Array): number {
  const tiff = latin1(block, 0, 4) === 'Exif' ? block.subarray(EXIF_PREFIX.length) : block;
  const order = latin1(tiff, 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const u16 = order === 'II' ? u16le : u16be;
  const u32 = order === 'II' ? u32le : u32be;
  const directory = u32(tiff, 4);
  if (u16(tiff, 2) !== 42 || directory + 2 > tiff.length) return 1;
  const entries = u16(tiff, directory);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (u16(tiff, entry) !== ORIENTATION) continue;
    const value = u16(tiff, entry + 8);
    return u16(tiff, entry + 2) === SHORT && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Whether width and height change places. */
export function isSideways(orientation: number): boolean {
  return orientation >= 5;
}

/** A TIFF of 26 bytes that says the orientation and nothing else. */
export function tinyTiff(orientation: number): Uint8Array {
  const entry = [ORIENTATION >> 8, ORIENTATION & 255, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0];
  return joined(bytesOf('MM'), [0, 42, 0, 0, 0, 8, 0, 1], entry, [0, 0, 0, 0]);
}
