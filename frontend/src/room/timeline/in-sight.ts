/** What of the timeline is in sight: rows that stand one below the other, in the box that scrolls them. */

/** The name of the day lies over so much of the box. */
const HEAD_PX = 48;

/** Any of it is. */
export function isInSight(row: Element, frame: DOMRect): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > frame.top + HEAD_PX && top < frame.bottom;
}

/** Of those in sight the one that begins nearest to this height. */
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
