/** A finger that pulls an element: the touches of the browser, for the state machine of `pull.ts`. */
import { cancel, type Finger, lift, moveTo, type Pull, type PullRules, putDown } from './pull.ts';

export interface PullSteps {
  /** Whether it can be pulled from here. Asked as the finger is put down. */
  mayPull(target: Element, finger: Finger): boolean;
  /** By how many pixels it is pulled now, and whether lifting the finger there is enough. */
  onPull(by: number, isFar: boolean): void;
  /** The finger is gone, after it has pulled. */
  onEnd(isDone: boolean, by: number): void;
}

/** Follows the fingers on an element. `rulesOf` is asked for each of them. Returns the function that ends it. */
export function followFinger(element: HTMLElement, rulesOf: () => PullRules, steps: PullSteps): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let pull = cancel();
  let rules = rulesOf();
  let by = 0;

  function become(next: Pull): void {
    const wasPulling = pull.phase === 'pulling';
    pull = next;
    if (next.phase === 'pulling') {
      ({ by } = next);
      steps.onPull(by, next.isFar);
    } else if (next.phase === 'over' && wasPulling) steps.onEnd(next.isDone, by);
  }

  function onStart(event: TouchEvent): void {
    const finger = fingerOf(event);
    if (finger === null) return become(cancel());
    if (!steps.mayPull(event.target as Element, finger)) return;
    rules = rulesOf();
    become(putDown(finger));
  }

  function onMove(event: TouchEvent): void {
    const finger = fingerOf(event);
    if (pull.phase === 'over') return;
    // The browser scrolls already.
    if (finger === null || !event.cancelable) return become(cancel());
    become(moveTo(pull, finger, rules));
    // From now on it does not scroll.
    if (pull.phase === 'pulling') event.preventDefault();
  }

  element.addEventListener('touchstart', onStart, { passive: true, signal });
  element.addEventListener('touchmove', onMove, { passive: false, signal });
  element.addEventListener('touchend', ({ timeStamp }) => become(lift(pull, timeStamp, rules)), { signal });
  element.addEventListener('touchcancel', () => become(cancel()), { signal });
  return () => {
    controller.abort();
    become(cancel());
  };
}

/** The one finger on the screen. */
function fingerOf({ touches, timeStamp: at }: TouchEvent): Finger | null {
  const [touch] = touches;
  return touch === undefined || touches.length > 1 ? null : { x: touch.clientX, y: touch.clientY, at };
}
