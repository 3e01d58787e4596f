/** Seeded randomness. A run that fails prints its seed, and the seed repeats the run. */

export interface Random {
  readonly seed: number;
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
}

/** Mulberry32: small, fast, and good enough to shuffle a schedule. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed: seed >>> 0, next, integer: (min, max) => min + Math.floor(next() * (max - min + 1)) };
}

/** The seed of this run: `SEED` from the environment, or a new one. */
export function runSeed(): number {
  const given = process.env.SEED;
  return given === undefined || given === '' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
