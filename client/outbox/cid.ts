import { randomHex } from '../random.ts';

let last = 0;

/**
 * A unique id for a message, or for a frame that is answered: 48 bits of time and 80 random bits, in hex. Ids that this
 * process creates sort in the order of creation, even when the clock is set back. `now`: milliseconds since the epoch.
 */
export function newCid(now: number): string {
  last = Math.max(now, last + 1);
  return last.toString(16).padStart(12, '0') + randomHex(10);
}
