/** As long as a finger has to rest. Not every browser of a phone asks for a menu by itself. */
const HOLD_MS = 450;
/** A finger that moves farther scrolls. */
const STILL_PX = 10;

/**
 * Calls `onHold` when the finger that was put down rests where it is. The browser's own menu, and its selection of a
 * word, would come on top and are left out meanwhile. Returns the function that stops watching.
 */
export function watchHold(down: PointerEvent, onHold: () => void): () => void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal } as const;
  const timer = setTimeout(onHold, HOLD_MS);
  const end = () => {
    clearTimeout(timer);
    controller.abort();
  };
  const onMove = (move: PointerEvent) => {
    if (Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) > STILL_PX) end();
  };
  window.addEventListener('pointermove', onMove, { ...options, passive: true });
  for (const type of ['pointerup', 'pointercancel', 'scroll'])
    window.addEventListener(type, end, { ...options, passive: true });
  window.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  return end;
}
