/** The rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows beyond both edges, so that Tab and fast scrolling find the next ones. */
const OVERSCAN_ROWS = 12;
/** The height before the box is measured: a screenful. */
const UNMEASURED_PX = 900;

/** Which rows of equal height are in sight or nearly so: thousands of rooms cost no more than a screenful. */
export function visibleRows(view: {
  readonly count: number;
  readonly rowPx: number;
  readonly top: number;
  readonly height: number;
}): RowRange {
  const { count, rowPx, top, height } = view;
  const inSight = Math.ceil((height || UNMEASURED_PX) / rowPx) + 1;
  // A list that became shorter has not been scrolled yet.
  const lastTop = Math.max(0, count - inSight);
  const at = Math.min(Math.floor(top / rowPx), lastTop);
  return { first: Math.max(0, at - OVERSCAN_ROWS), end: Math.min(count, at + inSight + OVERSCAN_ROWS) };
}
