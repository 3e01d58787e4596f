/** The items of a HEIF file: its box `meta` (ISO/IEC 14496-12, § 8.11; 23008-12, §§ 6 and 9). */
import { type Box, boxesIn, findBox } from './boxes.ts';
import { latin1, u8, u16be, u32be, u64be } from './bytes.ts';

export interface Item {
  readonly id: number;
  /** Four characters, such as `hvc1`, `grid`, `Exif`, `mime`. */
  readonly type: string;
}

/** Where bytes of an item are. */
export interface Extent {
  readonly item: number;
  readonly place: 'file' | 'idat';
  readonly offset: number;
  readonly length: number;
}

/** The most extents that are read. Tables may name many in a few bytes. */
const EXTENTS_MAX = 250_000;
/** The most items, and the most properties: the number of one has 15 bits. */
const ITEMS_MAX = 65_536;
const PROPERTIES_MAX = 32_767;

/** `meta` is the content of the box, which begins with a version and flags. Null when there are too many. */
export function itemsIn(meta: Uint8Array): Item[] | null {
  const infos = findBox(meta, 4, meta.length, 'iinf');
  if (infos === null) return [];
  const first = infos.body + (u8(meta, infos.body) === 0 ? 6 : 8);
  const items: Item[] = [];
  for (const { body } of boxesIn(meta, first, infos.end)) {
    const version = u8(meta, body);
    const id = version === 3 ? u32be(meta, body + 4) : u16be(meta, body + 4);
    // Entries of versions 0 and 1 have a MIME type alone.
    items.push({ id, type: version < 2 ? 'mime' : latin1(meta, body + (version === 3 ? 10 : 8), 4) });
    if (items.length > ITEMS_MAX) return null;
  }
  return items;
}

/**
 * The extents of these items. Null when the table is broken or one cannot be told: bytes that another item has, in
 * another file, or of no length, which means all there are.
 */
export function extentsOf(meta: Uint8Array, ids: ReadonlySet<number>): Extent[] | null {
  const table = findBox(meta, 4, meta.length, 'iloc');
  if (table === null) return null;
  const version = u8(meta, table.body);
  const sizes = u16be(meta, table.body + 4);
  const [offsetSize, lengthSize] = [sizes >> 12, (sizes >> 8) & 15];
  const [baseSize, indexSize] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
  if (version > 2 || [offsetSize, lengthSize, baseSize, indexSize].some((n) => ![0, 4, 8].includes(n)))
    return null;
  let at = table.body + 6;
  const take = (size: number): number => {
    at += size;
    return size === 2
      ? u16be(meta, at - 2)
      : size === 4
        ? u32be(meta, at - 4)
        : size === 8
          ? u64be(meta, at - 8)
          : 0;
  };
  const found: Extent[] = [];
  let all = 0;
  for (let left = take(version < 2 ? 2 : 4); left > 0; left--) {
    const item = take(version < 2 ? 2 : 4);
    const isWanted = ids.has(item);
    const method = version === 0 ? 0 : take(2) & 15;
    const isElsewhere = take(2) !== 0 || method > 1;
    const base = take(baseSize);
    const count = take(2);
    all += count + 1;
    if (at > table.end || all > EXTENTS_MAX || (isWanted && isElsewhere)) return null;
    for (let extent = 0; extent < count; extent++) {
      take(indexSize);
      const offset = base + take(offsetSize);
      const length = take(lengthSize);
      if (isWanted && length === 0) return null;
      if (isWanted) found.push({ item, place: method === 1 ? 'idat' : 'file', offset, length });
    }
  }
  return at > table.end ? null : found;
}

/** The size of the first picture, turned as its properties say. EXIF is not asked: HEIF does not turn by it. */
export function itemSize(meta: Uint8Array): { width: number; height: number } | null {
  const primary = findBox(meta, 4, meta.length, 'pitm');
  const container = findBox(meta, 4, meta.length, 'iprp', 'ipco');
  if (primary === null || container === null) return null;
  const id = u8(meta, primary.body) === 0 ? u16be(meta, primary.body + 4) : u32be(meta, primary.body + 4);
  const properties: Box[] = [];
  for (const property of boxesIn(meta, container.body, container.end)) {
    if (properties.push(property) === PROPERTIES_MAX) break;
  }
  let size: { width: number; height: number } | null = null;
  let isTurned = false;
  for (const index of propertiesOf(meta, id)) {
    const property = properties[index - 1];
    if (property?.type === 'ispe') {
      size = { width: u32be(meta, property.body + 4), height: u32be(meta, property.body + 8) };
    } else if (property?.type === 'irot') isTurned = (u8(meta, property.body) & 1) === 1;
  }
  if (size === null || size.width === 0 || size.height === 0) return null;
  return isTurned ? { width: size.height, height: size.width } : size;
}

/** The numbers of the properties of an item, from 1 on, in their order. */
function propertiesOf(meta: Uint8Array, id: number): number[] {
  const table = findBox(meta, 4, meta.length, 'iprp', 'ipma');
  if (table === null) return [];
  const version = u8(meta, table.body);
  const isWide = (u8(meta, table.body + 3) & 1) === 1;
  let at = table.body + 8;
  for (let left = u32be(meta, table.body + 4); left > 0 && at < table.end; left--) {
    const item = version === 0 ? u16be(meta, at) : u32be(meta, at);
    at += version === 0 ? 2 : 4;
    const count = u8(meta, at);
    const list = Array.from({ length: count }, (_, index) =>
      isWide ? u16be(meta, at + 1 + index * 2) & 0x7fff : u8(meta, at + 1 + index) & 0x7f,
    );
    if (item === id) return list;
    at += 1 + count * (isWide ? 2 : 1);
  }
  return [];
}
