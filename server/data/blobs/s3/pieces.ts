/** How the parts of an upload become one object: which bytes of which object, and who copies them. */

/** S3 takes no smaller part, but for the last one. */
export const PART_BYTES_MIN = 5 * 1024 * 1024;
/** S3 takes no more parts. */
export const PARTS_MAX = 10_000;

/** An object that has the bytes of a file from `from` up to `to`. */
export interface PartObject {
  name: string;
  from: number;
  to: number;
}

/** Bytes of an object. */
export interface Slice {
  source: string;
  from: number;
  to: number;
}

/** One part of an upload in parts. S3 copies one slice by itself; several go through this process. */
export interface Section {
  slices: readonly [Slice, ...Slice[]];
  length: number;
}

/**
 * The bytes of a file from its begin as far as parts follow each other, up to `size`. Parts may overlap: of two with the
 * same bytes it does not matter which one is taken.
 */
export function chainOf(parts: readonly PartObject[], size: number): { slices: Slice[]; reached: number } {
  const inOrder = [...parts].sort((one, other) => one.from - other.from);
  const slices: Slice[] = [];
  let reached = 0;
  for (let next = 0; reached < size; ) {
    let best: PartObject | undefined;
    for (; next < inOrder.length; next++) {
      const part = inOrder[next];
      if (!part || part.from > reached) break;
      if (part.to > (best?.to ?? reached)) best = part;
    }
    if (!best) break;
    const to = Math.min(best.to, size);
    slices.push({ source: best.name, from: reached - best.from, to: to - best.from });
    reached = to;
  }
  return { slices, reached };
}

/** The smallest part with which so many bytes are no more than 10 000 parts. */
export function partBytesFor(size: number): number {
  return Math.max(PART_BYTES_MIN, Math.ceil(size / (PARTS_MAX - 1)));
}

/** Parts of which each but the last is large enough. */
export function sectionsOf(slices: readonly Slice[], size: number): Section[] {
  const least = partBytesFor(size);
  const sections: Section[] = [];
  let open: Slice[] = [];
  let length = 0;
  for (const [index, slice] of slices.entries()) {
    open.push(slice);
    length += slice.to - slice.from;
    const [first, ...more] = open;
    if (first === undefined || (length < least && index < slices.length - 1)) continue;
    sections.push({ slices: [first, ...more], length });
    open = [];
    length = 0;
  }
  return sections;
}
