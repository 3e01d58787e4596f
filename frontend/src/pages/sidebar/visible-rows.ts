/** The rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows beyond both edges, so that Tab and fast scrolling find the next ones. */
const OVERSCAN_ROWS = 12;
/** The height before the box is measured: a screenful. */
const UNMEASURED_PX = 900;

/**
 * Which of `count` rows of equal height are in sight or nearly so: thousands of rooms cost no more than a screenful.
 * `top`: how far the first row is above the upper edge; negative when it is below.
 */
export function visibleRows(view: {
  readonly count: number;
  readonly rowPx: number;
  readonly top: number;
  readonly height: number;
}): RowRange {
  const { count, rowPx, top, height } = view;
  const within = (row: number) => Math.min(Math.max(row, 0), count);
  return {
    first: within(Math.floor(top / rowPx) - OVERSCAN_ROWS),
    end: within(Math.ceil((top + (height || UNMEASURED_PX)) / rowPx) + OVERSCAN_ROWS),
  };
}

/** The heights of the list, in pixels. */
export interface Heights {
  readonly headPx: number;
  readonly rowPx: number;
}

/** Where the first row of each group begins, and how high all is. */
export function placeGroups(
  counts: readonly number[],
  { headPx, rowPx }: Heights,
): { readonly starts: readonly number[]; readonly total: number } {
  let total = 0;
  const starts = counts.map((count) => {
    const start = total + headPx;
    total = start + count * rowPx;
    return start;
  });
  return { starts, total };
}
