/** Removes place, device and time from MP4, MOV, HEIC and AVIF. All that remains stays where it is. */
import { type Box, boxesOf, findBox } from './boxes.ts';
import { bytesOf, joined, type Source, WHOLE_MAX } from './bytes.ts';
import { tinyTiff } from './exif.ts';
import { extentsOf, itemsIn } from './items.ts';
import { cleanContent, hasHiddenTrack } from './movie-clean.ts';
import { type Patch, type Piece, patched } from './pieces.ts';

/** Boxes of a file that are kept as they are. */
const KEPT = new Set(['ftyp', 'styp', 'mdat', 'mfra', 'sidx', 'ssix', 'pdin']);

/** Items that describe a picture and are none. */
const TELLING = new Set(['Exif', 'mime', 'uri ']);

interface Cleaning {
  readonly file: Source;
  readonly patches: Patch[];
  /** Bytes of boxes that were read whole. */
  read: number;
  hasHeader: boolean;
  hasHiddenTrack: boolean;
  hasFragments: boolean;
}

/**
 * Descriptions become zeros, and so do tracks that are neither picture nor sound, with their samples. What follows the
 * last box that is kept goes away. Null when the file has no header, or one that is broken or too long.
 *
 * @param isHeif whether the file is made of items: only then its `meta` is kept
 */
export async function stripBoxes(file: Source, isHeif: boolean): Promise<readonly Piece[] | null> {
  const state: Cleaning = {
    ...{ file, patches: [], read: 0 },
    ...{ hasHeader: false, hasHiddenTrack: false, hasFragments: false },
  };
  let end = 0;
  for await (const box of boxesOf(file)) {
    if (box.type === 'moov' || box.type === 'moof' || (box.type === 'meta' && isHeif)) {
      if (!(await cleanBox(state, box, box.type))) return null;
    } else if (!KEPT.has(box.type)) {
      state.patches.push(
        { at: box.at + 4, bytes: bytesOf('free') },
        { at: box.body, zeros: box.end - box.body },
      );
      continue;
    }
    end = Math.min(box.end, file.size);
  }
  // Where a hidden track has samples in fragments, nobody has looked.
  if (!state.hasHeader || (state.hasHiddenTrack && state.hasFragments)) return null;
  return patched(state.patches, end);
}

async function cleanBox(state: Cleaning, box: Box, type: 'moov' | 'moof' | 'meta'): Promise<boolean> {
  const length = box.end - box.body;
  state.read += length;
  const read = state.read > WHOLE_MAX ? null : await state.file.bytes(box.body, length);
  if (read === null) return false;
  const bytes = read.slice();
  if (type === 'moof') state.hasFragments = true;
  else state.hasHeader = true;
  if (type === 'moov') state.hasHiddenTrack ||= hasHiddenTrack(bytes);
  if (type === 'meta' && !cleanItems(bytes, state.patches)) return false;
  for (const { at, length: zeros } of cleanContent(bytes, type)) state.patches.push({ at, zeros });
  state.patches.push({ at: box.body, bytes });
  return true;
}

/** Empties the items that describe the picture, in `meta` itself and by patches of the file. */
function cleanItems(meta: Uint8Array, patches: Patch[]): boolean {
  const items = itemsIn(meta).filter(({ type }) => TELLING.has(type));
  const store = findBox(meta, 4, meta.length, 'idat');
  for (const { id, type } of items) {
    const extents = extentsOf(meta, new Set([id]));
    if (extents === null) return false;
    for (const [index, { place, offset, length }] of extents.entries()) {
      const isExif = type === 'Exif' && index === 0 && length >= EMPTY_EXIF.length;
      if (place === 'file') {
        if (isExif) patches.push({ at: offset, bytes: EMPTY_EXIF });
        patches.push({ at: offset, zeros: length });
      } else if (store !== null) {
        const from = store.body + offset;
        meta.fill(0, from, Math.min(from + length, store.end));
        if (isExif && from + length <= store.end) meta.set(EMPTY_EXIF, from);
      }
    }
  }
  return true;
}

/** An EXIF that says only that the picture is not turned: decoders refuse a picture whose EXIF is zeros. */
const EMPTY_EXIF = joined([0, 0, 0, 0], tinyTiff(1));
