import type { Decision } from './limiter.ts';

/** `refill` tokens come evenly within each `refillIntervalUs` microseconds, up to `capacity`; whole numbers from 1. */
export interface BucketRate {
  readonly capacity: number;
  readonly refill: number;
  readonly refillIntervalUs: number;
}

/** How far a bucket was from full, and when. A full bucket and an unused one are the same. */
export interface BucketLevel {
  /** In units: a token is `refillIntervalUs` of them and a microsecond brings `refill`, so nothing is ever rounded. */
  missing: number;
  atUs: number;
}

/** Microseconds of a clock that only goes forward, whatever happens to the time of day. */
export type MonotonicClock = () => number;

export const monotonicUs: MonotonicClock = () => Math.floor(performance.now() * 1000);

const ALLOWED: Decision = Object.freeze({ allowed: true });

/** Throws RangeError on a rate that whole-number arithmetic cannot keep exactly. */
export function checkRate(rate: BucketRate): BucketRate {
  const { capacity, refill, refillIntervalUs } = rate;
  const whole = [capacity, refill, refillIntervalUs].every((n) => Number.isSafeInteger(n) && n >= 1);
  // This is the largest number that must be exact: one token more than a full bucket holds.
  if (whole && Number.isSafeInteger((capacity + 1) * refillIntervalUs)) return rate;
  throw new RangeError(`Not a rate: ${capacity} tokens, ${refill} per ${refillIntervalUs} µs`);
}

/**
 * The units missing at `nowUs`. After a long time the product is beyond exact integers, but then it is above
 * everything that can be missing, and the result is 0 all the same.
 */
export function missingUnits(rate: BucketRate, level: BucketLevel, nowUs: number): number {
  return Math.max(0, level.missing - Math.max(0, nowUs - level.atUs) * rate.refill);
}

/** Whether a bucket that lacks `missing` units holds `cost` whole tokens. */
export function decide(rate: BucketRate, missing: number, cost = 1): Decision {
  const shortBy = missing - (rate.capacity - cost) * rate.refillIntervalUs;
  if (shortBy <= 0) return ALLOWED;
  return { allowed: false, retryAfterMs: Math.ceil(Math.ceil(shortBy / rate.refill) / 1000) };
}

/** One token bucket, such as a socket's; see `Limiter` for what it promises. */
export class TokenBucket {
  readonly #rate: BucketRate;
  readonly #nowUs: MonotonicClock;
  readonly #level: BucketLevel = { missing: 0, atUs: 0 };

  constructor(rate: BucketRate, nowUs: MonotonicClock = monotonicUs) {
    this.#rate = checkRate(rate);
    this.#nowUs = nowUs;
  }

  isFull(): boolean {
    return missingUnits(this.#rate, this.#level, this.#nowUs()) === 0;
  }

  /** What `take` would return, without taking. */
  check(cost = 1): Decision {
    return decide(this.#rate, missingUnits(this.#rate, this.#level, this.#nowUs()), cost);
  }

  /** Takes `cost` tokens, a whole number from 1 to the capacity, or none. */
  take(cost = 1): Decision {
    const nowUs = this.#nowUs();
    const missing = missingUnits(this.#rate, this.#level, nowUs);
    const decision = decide(this.#rate, missing, cost);
    if (decision.allowed) {
      this.#level.missing = missing + cost * this.#rate.refillIntervalUs;
      this.#level.atUs = nowUs;
    }
    return decision;
  }

  /** Takes `cost` tokens that are known to be used only now. What the bucket lacks is owed: it refuses until then. */
  owe(cost: number): void {
    const nowUs = this.#nowUs();
    this.#level.missing = missingUnits(this.#rate, this.#level, nowUs) + cost * this.#rate.refillIntervalUs;
    this.#level.atUs = nowUs;
  }
}

/** Takes from every bucket or from none; a refusal has the longest of their waits. */
export function takeFromAll(...takes: readonly (readonly [bucket: TokenBucket, cost: number])[]): Decision {
  let retryAfterMs = 0;
  for (const [bucket, cost] of takes) {
    const decision = bucket.check(cost);
    if (!decision.allowed) retryAfterMs = Math.max(retryAfterMs, decision.retryAfterMs);
  }
  if (retryAfterMs > 0) return { allowed: false, retryAfterMs };
  for (const [bucket, cost] of takes) bucket.take(cost);
  return ALLOWED;
}
