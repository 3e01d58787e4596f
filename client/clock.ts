/** Undoes what returned it. Calling it again does nothing. */
export type Cancel = () => void;

export const nothingToCancel: Cancel = () => {};

/** Time, passed in so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations: setting the system clock does not change it. */
  elapsed(): number;
  /** Runs `run` once, at least `delayMs` from now. */
  after(delayMs: number, run: () => void): Cancel;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
