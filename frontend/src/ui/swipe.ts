/** A finger that draws a row to the left: a swipe, beside the tap and the long press. `pull.ts` judges it. */
import { cancel, type Finger, lift, moveTo, type Pull, type PullRules, putDown } from './pull.ts';

/** Where the browser's own gestures begin: going back and forward. */
const EDGE_PX = 24;
const RULES: PullRules = { axis: 'x', sign: -1, farPx: 54, mostPx: 88, fling: null };

export interface SwipeSteps {
  /** The finger moves sideways: from now on the row follows it, by `--swipe` while it has `data-swipe`. */
  onStart(): void;
  /** Whether lifting the finger now does it. */
  onFar(isFar: boolean): void;
  onEnd(isDone: boolean): void;
}

/** Follows a finger that was put on a row, until it is lifted, scrolls, or moves the other way. */
export function watchSwipe(down: PointerEvent, row: HTMLElement, steps: SwipeSteps): void {
  const { clientX: x, pointerId, pointerType, target } = down;
  const isAtEdge = x < EDGE_PX || x > window.innerWidth - EDGE_PX;
  if (pointerType === 'mouse' || !down.isPrimary || isAtEdge) return;
  if (scrollsSideways(target as Element, row)) return;
  const controller = new AbortController();
  const options = { capture: true, passive: true, signal: controller.signal };
  let pull = putDown(fingerOf(down));
  let isFar = false;

  function become(next: Pull): void {
    const before = pull.phase;
    pull = next;
    if (next.phase === 'over') return end(before === 'pulling', next.isDone);
    if (next.phase === 'down') return;
    if (before === 'down') {
      row.setAttribute('data-swipe', '');
      steps.onStart();
    }
    row.style.setProperty('--swipe', `${-next.by}px`);
    if (next.isFar !== isFar) steps.onFar(next.isFar);
    isFar = next.isFar;
  }

  function end(wasPulled: boolean, isDone: boolean): void {
    controller.abort();
    if (!wasPulled) return;
    row.style.removeProperty('--swipe');
    row.removeAttribute('data-swipe');
    steps.onEnd(isDone);
  }

  const onMove = (move: PointerEvent) =>
    become(move.pointerId === pointerId ? moveTo(pull, fingerOf(move), RULES) : cancel());
  window.addEventListener('pointermove', onMove, options);
  window.addEventListener('pointerdown', () => become(cancel()), options);
  window.addEventListener('pointerup', ({ timeStamp }) => become(lift(pull, timeStamp, RULES)), options);
  window.addEventListener('pointercancel', () => become(cancel()), options);
}

function fingerOf({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): Finger {
  return { x, y, at };
}

/** Code and tables that are wider than the row are scrolled by the same movement. */
function scrollsSideways(from: Element, row: HTMLElement): boolean {
  for (
    let element: Element | null = from;
    element !== null && element !== row;
    element = element.parentElement
  ) {
    if (element.matches('textarea, input')) return true;
    if (element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX))
      return true;
  }
  return false;
}
