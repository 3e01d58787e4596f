/** Undoes what returned it; calling it twice is harmless. */
export type Cancel = () => void;

/** Time, passed in so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since whenever, for spans: nobody sets it. */
  elapsed(): number;
  /** Runs `run` once, no earlier than `delayMs` from now. */
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
