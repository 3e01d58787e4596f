/** Removes place, device and time from MP4, MOV, HEIC and AVIF. All that remains stays where it is. */
import { type Box, boxesOf, findBox } from './boxes.ts';
import { bytesOf, joined, type Source, WHOLE_MAX } from './bytes.ts';
import { tinyTiff } from './exif.ts';
import { extentsOf, itemsIn } from './items.ts';
import { cleanContent, hasHiddenTrack } from './movie-clean.ts';
import { type Patch, PIECES_MAX, type Piece, patched } from './pieces.ts';

/** Boxes of a file that are kept as they are. */
const KEPT = new Set(['ftyp', 'styp', 'mdat', 'mfra', 'sidx', 'ssix', 'pdin']);

/** Items that describe a picture and are none. */
const TELLING = new Set(['Exif', 'mime', 'uri ']);

interface Cleaning {
  readonly file: Source;
  /** Of boxes. */
  readonly patches: Patch[];
  /** Of items and samples, which tables name. */
  readonly named: Patch[];
  /** Where items and samples are: what is in `mdat`, and in boxes that become zeros. */
  readonly data: Box[];
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
    ...{ file, patches: [], named: [], data: [], read: 0 },
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
      state.data.push(box);
      if (state.patches.length > PIECES_MAX) return null;
      continue;
    }
    if (box.type === 'mdat') state.data.push(box);
    end = Math.min(box.end, file.size);
  }
  // Where a hidden track has samples in fragments, nobody has looked.
  if (!state.hasHeader || (state.hasHiddenTrack && state.hasFragments)) return null;
  return areIn(state.data, state.named, end) ? patched([...state.patches, ...state.named], end) : null;
}

/**
 * Whether all patches are within the boxes, which are in order, or behind the end: a broken table names other places.
 */
function areIn(boxes: readonly Box[], patches: readonly Patch[], end: number): boolean {
  let index = 0;
  for (const patch of patches.toSorted((a, b) => a.at - b.at)) {
    if (patch.at >= end) return true;
    while ((boxes[index]?.end ?? Number.POSITIVE_INFINITY) <= patch.at) index += 1;
    const box = boxes[index];
    const last = patch.at + ('bytes' in patch ? patch.bytes.length : patch.zeros);
    if (box === undefined || patch.at < box.body || Math.min(last, end) > box.end) return false;
  }
  return true;
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
  if (type === 'meta' && !cleanItems(bytes, state.named)) return false;
  const gone = cleanContent(bytes, type);
  if (gone === null) return false;
  for (const { at, length: zeros } of gone) state.named.push({ at, zeros });
  state.patches.push({ at: box.body, bytes });
  return true;
}

/** Empties the items that describe the picture, in `meta` itself and by patches of the file. */
function cleanItems(meta: Uint8Array, patches: Patch[]): boolean {
  const items = itemsIn(meta);
  if (items === null) return false;
  const types = new Map(items.filter(({ type }) => TELLING.has(type)).map(({ id, type }) => [id, type]));
  const extents = types.size === 0 ? [] : extentsOf(meta, new Set(types.keys()));
  const store = findBox(meta, 4, meta.length, 'idat');
  // Each byte of the store belongs to one item. A table that names them again and again asks for work without end.
  let unnamed = store === null ? 0 : store.end - store.body;
  let before: number | undefined;
  for (const { item, place, offset, length } of extents ?? []) {
    const isFirst = item !== before;
    const isExif = types.get(item) === 'Exif' && isFirst && length >= EMPTY_EXIF.length;
    before = item;
    if (place === 'file') {
      if (isExif) patches.push({ at: offset, bytes: EMPTY_EXIF });
      patches.push({ at: offset, zeros: length });
    } else if (store !== null) {
      unnamed -= length;
      if (unnamed < 0) return false;
      const from = store.body + offset;
      meta.fill(0, from, Math.min(from + length, store.end));
      if (isExif && from + length <= store.end) meta.set(EMPTY_EXIF, from);
    }
  }
  return extents !== null;
}

/** An EXIF that says only that the picture is not turned: decoders refuse a picture whose EXIF is zeros. */
const EMPTY_EXIF = joined([0, 0, 0, 0], tinyTiff(1));
