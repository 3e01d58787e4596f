/** A finger that draws a message to the left answers it: a swipe, beside the long press. */

/** Where the browser's own gestures begin: going back and forward. */
const EDGE_PX = 24;
/** A finger that has moved less may still hold or scroll. */
const STILL_PX = 10;
/** From here on, lifting the finger answers. */
const FAR_PX = 64;
/** A row follows the finger no farther. */
const MOST_PX = 88;

export interface SwipeSteps {
  /** The finger moves sideways: from now on the row follows it. */
  onStart(): void;
  /** Whether lifting the finger now answers the message. */
  onFar(isFar: boolean): void;
  onEnd(isAnswered: boolean): void;
}

/** Follows a finger that was put on a row, until it is lifted, scrolls, or moves the other way. */
export function watchSwipe(down: PointerEvent, row: HTMLElement, steps: SwipeSteps): void {
  const { clientX: x, clientY: y, pointerId, target } = down;
  const isAtEdge = x < EDGE_PX || x > window.innerWidth - EDGE_PX;
  if (!down.isPrimary || isAtEdge || scrollsSideways(target as Element, row)) return;
  const controller = new AbortController();
  const options = { capture: true, passive: true, signal: controller.signal };
  let isSwiping = false;
  let isFar = false;

  function end(isAnswered: boolean): void {
    controller.abort();
    if (!isSwiping) return;
    row.style.removeProperty('--swipe');
    row.removeAttribute('data-swipe');
    steps.onEnd(isAnswered && isFar);
  }

  function onMove(move: PointerEvent): void {
    if (move.pointerId !== pointerId) return end(false);
    const [dx, dy] = [move.clientX - x, move.clientY - y];
    if (!isSwiping) {
      if (Math.hypot(dx, dy) <= STILL_PX) return;
      // The text is scrolled, or drawn the other way.
      if (-dx < 2 * Math.abs(dy)) return end(false);
      isSwiping = true;
      row.setAttribute('data-swipe', '');
      steps.onStart();
    }
    row.style.setProperty('--swipe', `${Math.max(-MOST_PX, Math.min(0, dx + STILL_PX))}px`);
    const isFarNow = -dx >= FAR_PX;
    if (isFarNow !== isFar) steps.onFar(isFarNow);
    isFar = isFarNow;
  }

  window.addEventListener('pointermove', onMove, options);
  window.addEventListener('pointerdown', () => end(false), options);
  window.addEventListener('pointerup', () => end(true), options);
  window.addEventListener('pointercancel', () => end(false), options);
}

/** Code and tables that are wider than the row are scrolled by the same movement. */
function scrollsSideways(from: Element, row: HTMLElement): boolean {
  for (
    let element: Element | null = from;
    element !== null && element !== row;
    element = element.parentElement
  ) {
    if (element.matches('textarea, input')) return true;
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible')
      return true;
  }
  return false;
}
