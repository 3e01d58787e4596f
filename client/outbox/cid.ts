import { randomHex } from '../random.ts';

let last = 0;

/**
 * A name for a message that nobody else has: 48 bits of time and 80 random ones, in hex. Names that are made here one
 * after the other sort in that order, even when the clock is set back.
 */
export function newCid(now: number): string {
  last = Math.max(now, last + 1);
  return last.toString(16).padStart(12, '0') + randomHex(10);
}
