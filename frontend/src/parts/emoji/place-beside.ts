/** The size of the picker, as in its style sheet. */
const WIDTH = 364;
const HEIGHT = 420;
const GAP = 6;

interface Place {
  readonly left: number;
  readonly top: number;
}

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

/** Which edges of the picker and its anchor are in line. */
export type Edge = 'left' | 'right';

/** Above the anchor where there is space, else below it, and always within the window. */
export function placeBeside(
  anchor: Box,
  edge: Edge,
  window: { innerWidth: number; innerHeight: number } = globalThis.window,
): Place {
  const above = anchor.top - GAP - HEIGHT;
  const top = above >= GAP ? above : anchor.bottom + GAP;
  const left = edge === 'left' ? anchor.left : anchor.right - WIDTH;
  return {
    left: Math.max(GAP, Math.min(left, window.innerWidth - WIDTH - GAP)),
    top: Math.max(GAP, Math.min(top, window.innerHeight - HEIGHT - GAP)),
  };
}
