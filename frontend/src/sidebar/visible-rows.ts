/** The rows from `first` up to and without `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows beyond both edges, so that Tab and a quick wheel find the next ones. */
const OVERSCAN_ROWS = 12;
/** Before the box is measured: a screenful. */
const UNMEASURED_PX = 900;

/** Which rows of one height are in sight or nearly so: thousands of rooms cost no more than a screenful. */
export function visibleRows(view: {
  readonly count: number;
  readonly rowPx: number;
  readonly top: number;
  readonly height: number;
}): RowRange {
  const { count, rowPx, top, height } = view;
  const inSight = Math.ceil((height || UNMEASURED_PX) / rowPx) + 1;
  // A list that became shorter is not scrolled yet.
  const lastTop = Math.max(0, count - inSight);
  const at = Math.min(Math.floor(top / rowPx), lastTop);
  return { first: Math.max(0, at - OVERSCAN_ROWS), end: Math.min(count, at + inSight + OVERSCAN_ROWS) };
}
