/** Entries of the index in parts, between which searches have their turn. */
import type { Entry } from '../../data/search/search-index.ts';

/** What is written at once. */
export const TOGETHER_MAX = { characters: 32 * 1024, entries: 200 };

/** Characters of its texts. */
export function sizeOf({ indexed }: Entry): number {
  return indexed?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0;
}

/** The entries in their order, in parts of which none takes long to write. One part at least. */
export function inParts<One extends Entry>(entries: readonly One[]): One[][] {
  let part: One[] = [];
  const parts = [part];
  let size = 0;
  for (const entry of entries) {
    const length = sizeOf(entry);
    const isFull = part.length === TOGETHER_MAX.entries || size + length > TOGETHER_MAX.characters;
    if (part.length > 0 && isFull) {
      part = [];
      parts.push(part);
      size = 0;
    }
    part.push(entry);
    size += length;
  }
  return parts;
}
