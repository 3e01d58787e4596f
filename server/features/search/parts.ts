/** Entries of the index in parts, between which searches have their turn. */
import type { Entry } from '../../data/search/search-index.ts';

/** Characters of texts that are written at once. */
const PART_CHARACTERS = 32 * 1024;
const PART_ENTRIES = 200;

/** The entries in their order, in parts of which none takes long to write. One part at least. */
export function inParts<One extends Entry>(entries: readonly One[]): One[][] {
  let part: One[] = [];
  const parts = [part];
  let size = 0;
  for (const entry of entries) {
    const length = entry.indexed?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0;
    if (part.length === PART_ENTRIES || (part.length > 0 && size + length > PART_CHARACTERS)) {
      part = [];
      parts.push(part);
      size = 0;
    }
    part.push(entry);
    size += length;
  }
  return parts;
}
