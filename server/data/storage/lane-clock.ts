/** Time, as the lanes of rooms take it: real, or a simulation's. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LaneClock {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Calls back after this turn of the event loop. */
  nextTurn(callback: () => void): void;
}

export const REAL_TIME: LaneClock = {
  now: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
  nextTurn: (callback) => {
    setImmediate(callback);
  },
};
