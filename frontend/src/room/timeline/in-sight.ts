/** Which rows of the timeline are in sight: they stand one below the other, in the box that scrolls them. */

/** The part of the box that the day may cover. */
const HEAD_PX = 48;

/** Whether any part of the row is in sight. */
export function isInSight(row: Element, frame: DOMRect): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > frame.top + HEAD_PX && top < frame.bottom;
}

/** The row in sight that begins nearest to this height. */
export function nearestInSight<T extends Element>(
  rows: readonly T[],
  top: number,
  frame: DOMRect,
): T | undefined {
  let nearest: T | undefined;
  let nearestPx = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (!isInSight(row, frame)) continue;
    const awayPx = Math.abs(row.getBoundingClientRect().top - top);
    if (awayPx < nearestPx) [nearest, nearestPx] = [row, awayPx];
  }
  return nearest;
}
