/** How long a row that is missing may still come by itself, before it is read from the log. */
import type { Bus } from '../../../data/bus/bus.ts';

/** Times are in milliseconds; zero: what is missing is read at once. */
export interface Patience {
  /** After a row with a gap before it: rows of other processes cross each other on their way. */
  readonly forGapMs: number;
  /** After a number without its row. */
  readonly forRowMs: number;
  /** What was missing has come by itself, this long after it was missed. */
  observe(ms: number): void;
}

export const NO_PATIENCE: Patience = { forGapMs: 0, forRowMs: 0, observe() {} };

/** As long as the bus takes at present. `quietMs`: at least this long for a number without its row. */
export function patienceWith(bus: Pick<Bus, 'crossingMs' | 'crossed'>, quietMs = 0): Patience {
  return {
    get forGapMs() {
      return bus.crossingMs;
    },
    get forRowMs() {
      const { crossingMs } = bus;
      return crossingMs === 0 ? 0 : Math.max(crossingMs, quietMs);
    },
    observe: (ms) => bus.crossed(ms),
  };
}
