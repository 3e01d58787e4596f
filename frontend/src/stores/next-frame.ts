/** A hidden page has no frames, and waits this long instead. */
const HIDDEN_MS = 250;

/** Runs once before the next paint, even when it is requested several times. Cancelling drops the request. */
export function oncePerFrame(run: () => void): { ask: () => void; cancel: () => void } {
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function cancel(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = null;
  }

  function fire(): void {
    cancel();
    run();
  }

  return {
    ask: () => {
      if (frame !== null) return;
      frame = requestAnimationFrame(fire);
      timer = setTimeout(fire, HIDDEN_MS);
    },
    cancel,
  };
}
