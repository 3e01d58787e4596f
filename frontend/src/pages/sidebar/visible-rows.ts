/** The rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** How far beyond both edges rows are rendered, in pixels, so that Tab and fast scrolling find the next ones. */
const OVERSCAN_PX = 420;
/** The height before the box is measured: a screenful. */
const UNMEASURED_PX = 900;

/** Where each row of a group begins, from its first row on, and, last, where all end. In pixels, ascending. */
export function rowStarts(heights: readonly number[]): readonly number[] {
  const starts = [0];
  let end = 0;
  for (const height of heights) {
    end += height;
    starts.push(end);
  }
  return starts;
}

/**
 * Which rows are in sight or nearly so: thousands of rooms cost no more than a screenful. `starts` as by `rowStarts`;
 * `top`: how far the first row is above the upper edge; negative when it is below.
 */
export function visibleRows(view: {
  readonly starts: readonly number[];
  readonly top: number;
  readonly height: number;
}): RowRange {
  const { starts, top, height } = view;
  const count = starts.length - 1;
  const first = Math.max(0, firstAfter(starts, top - OVERSCAN_PX) - 1);
  const end = firstAfter(starts, top + (height || UNMEASURED_PX) + OVERSCAN_PX);
  return { first: Math.min(first, count), end: Math.min(end, count) };
}

/** The index of the first number above `limit` in an ascending list; its length when there is none. Binary search. */
function firstAfter(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where the first row of each group begins beneath its heading, and how high all is. */
export function placeGroups(
  heights: readonly number[],
  headPx: number,
): { readonly starts: readonly number[]; readonly total: number } {
  let total = 0;
  const starts = heights.map((height) => {
    const start = total + headPx;
    total = start + height;
    return start;
  });
  return { starts, total };
}
