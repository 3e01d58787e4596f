import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeLimiter } from './limiter.contract.ts';
import type { Decision } from './limiter.ts';
import { MemoryLimiter } from './memory.ts';
import { type BucketRate, monotonicUs, TokenBucket } from './token-bucket.ts';

/** A clock that the test moves by hand. */
function handClock(startUs = 0) {
  let us = startUs;
  return {
    nowUs: () => us,
    advance(by: number) {
      us += by;
    },
  };
}

describeLimiter('memory', async (rate) => {
  const clock = handClock(12_345);
  return { limiter: new MemoryLimiter({ ...rate, nowUs: clock.nowUs }), advanceUs: clock.advance };
});

/** The definition itself, in exact fractions: `tokens` is numerator over denominator, never reduced, never rounded. */
class ReferenceBucket {
  readonly #rate: BucketRate;
  #numerator: bigint;
  #denominator = 1n;

  constructor(rate: BucketRate) {
    this.#rate = rate;
    this.#numerator = BigInt(rate.capacity);
  }

  pass(us: number): void {
    const [n, d] = [BigInt(us) * BigInt(this.#rate.refill), BigInt(this.#rate.refillIntervalUs)];
    const sum = [this.#numerator * d + n * this.#denominator, this.#denominator * d] as const;
    const full = sum[0] >= BigInt(this.#rate.capacity) * sum[1];
    [this.#numerator, this.#denominator] = full ? [BigInt(this.#rate.capacity), 1n] : sum;
  }

  holdsToken(): boolean {
    return this.#numerator >= this.#denominator;
  }

  take(): boolean {
    if (!this.holdsToken()) return false;
    this.#numerator -= this.#denominator;
    return true;
  }

  copy(): ReferenceBucket {
    const copy = new ReferenceBucket(this.#rate);
    [copy.#numerator, copy.#denominator] = [this.#numerator, this.#denominator];
    return copy;
  }
}

/** `retryAfterMs` is right when a token is there after it and was not there a millisecond before. */
function expectShortestWait(model: ReferenceBucket, decision: Decision): void {
  if (decision.allowed) return;
  const [early, due] = [model.copy(), model.copy()];
  early.pass((decision.retryAfterMs - 1) * 1000);
  due.pass(decision.retryAfterMs * 1000);
  expect(early.holdsToken()).toBe(false);
  expect(due.holdsToken()).toBe(true);
}

const rates: fc.Arbitrary<BucketRate> = fc.oneof(
  fc.constant({ capacity: 40, refill: 20, refillIntervalUs: 1_000_000 }),
  fc.record({
    capacity: fc.integer({ min: 1, max: 50 }),
    refill: fc.integer({ min: 1, max: 1_000_000 }),
    refillIntervalUs: fc.integer({ min: 1, max: 60_000_000 }),
  }),
);
const pauses = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 200_000 }),
  fc.integer({ min: 0, max: 50_000_000_000_000 }), // More than a year.
);
const steps = fc.array(fc.record({ pause: pauses, key: fc.constantFrom('a', 'b'), takes: fc.nat(60) }), {
  maxLength: 40,
});

describe('the token bucket is exact to the token', () => {
  it('decides like a bucket of exact fractions, at any rate and with any pauses', () => {
    fc.assert(
      fc.property(rates, steps, fc.nat(2 ** 40), (rate, script, start) => {
        const clock = handClock(start);
        const limiter = new MemoryLimiter({ ...rate, nowUs: clock.nowUs });
        const models = { a: new ReferenceBucket(rate), b: new ReferenceBucket(rate) };
        for (const { pause, key, takes } of script) {
          clock.advance(pause);
          for (const model of Object.values(models)) model.pass(pause);
          for (let i = 0; i < takes; i++) {
            const foretold = limiter.check(key);
            const decision = limiter.take(key);
            expect(foretold).toEqual(decision);
            expect(decision.allowed).toBe(models[key].take());
            expectShortestWait(models[key], decision);
          }
        }
      }),
    );
  });

  it('a single bucket decides like a keyed one', () => {
    fc.assert(
      fc.property(rates, steps, (rate, script) => {
        const clock = handClock();
        const keyed = new MemoryLimiter({ ...rate, nowUs: clock.nowUs });
        const single = new TokenBucket(rate, clock.nowUs);
        for (const { pause, takes } of script) {
          clock.advance(pause);
          for (let i = 0; i < takes; i++) expect(single.take()).toEqual(keyed.take('a'));
        }
      }),
    );
  });

  it('what is owed is waited for, and no longer', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 1000 }), (rate, owed) => {
        const clock = handClock();
        const bucket = new TokenBucket(rate, clock.nowUs);
        bucket.owe(rate.capacity + owed);
        const first = bucket.check();
        if (first.allowed) throw new Error('what is owed was forgotten');
        clock.advance(first.retryAfterMs * 1000 - 1000);
        expect(bucket.check().allowed).toBe(false);
        clock.advance(1000);
        expect(bucket.take().allowed).toBe(true);
      }),
    );
  });

  it('a clock that stands still or steps back gives no token', () => {
    const clock = handClock(1_000_000);
    const bucket = new TokenBucket({ capacity: 1, refill: 1, refillIntervalUs: 1000 }, clock.nowUs);
    bucket.take();
    clock.advance(-500_000);
    expect(bucket.take().allowed).toBe(false);
  });

  it.each([
    { capacity: 0, refill: 1, refillIntervalUs: 1 },
    { capacity: 1, refill: 0, refillIntervalUs: 1 },
    { capacity: 1.5, refill: 1, refillIntervalUs: 1 },
    { capacity: 2 ** 40, refill: 1, refillIntervalUs: 2 ** 20 },
  ])('refuses a rate that it could not keep exactly: %o', (rate) => {
    expect(() => new TokenBucket(rate)).toThrow(RangeError);
    expect(() => new MemoryLimiter(rate)).toThrow(RangeError);
  });

  it('the default clock counts whole microseconds and never goes back', () => {
    let last = monotonicUs();
    for (let i = 0; i < 1000; i++) {
      const now = monotonicUs();
      expect(Number.isSafeInteger(now) && now >= last).toBe(true);
      last = now;
    }
  });
});

describe('memory is bounded, whatever keys come', () => {
  const rate = { capacity: 2, refill: 1, refillIntervalUs: 1_000_000 };

  it('never keeps more than maxKeys, and continues to limit', () => {
    const limiter = new MemoryLimiter({ ...rate, maxKeys: 100, nowUs: () => 0 });
    for (let i = 0; i < 10_000; i++) {
      limiter.take(`key ${i}`);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
    limiter.take('last');
    limiter.take('last');
    expect(limiter.take('last').allowed).toBe(false);
  });

  it('evicts full buckets first, which loses nothing', () => {
    const clock = handClock();
    const limiter = new MemoryLimiter({ ...rate, maxKeys: 3, nowUs: clock.nowUs });
    limiter.take('empty');
    limiter.take('empty');
    limiter.take('full by then');
    clock.advance(1_000_000);
    limiter.take('recent');
    limiter.take('new'); // Room is made: `empty` is older, but has something to remember.
    expect(limiter.take('empty').allowed).toBe(true);
    expect(limiter.take('empty').allowed).toBe(false);
  });

  it('then evicts the least recently used key', () => {
    const limiter = new MemoryLimiter({ ...rate, maxKeys: 2, nowUs: () => 0 });
    for (const key of ['a', 'a', 'b', 'b', 'a']) limiter.take(key);
    limiter.take('c');
    expect(limiter.check('a').allowed).toBe(false);
    expect(limiter.check('b').allowed).toBe(true);
  });

  it('evicts buckets that have filled up as new keys come', () => {
    const clock = handClock();
    const limiter = new MemoryLimiter({ ...rate, nowUs: clock.nowUs });
    for (let i = 0; i < 1000; i++) limiter.take(`old ${i}`);
    clock.advance(2_000_000);
    for (let i = 0; i < 500; i++) limiter.take(`new ${i}`);
    expect(limiter.size).toBe(500);
  });

  it('a check stores no key', () => {
    const limiter = new MemoryLimiter(rate);
    for (let i = 0; i < 100; i++) limiter.check(`key ${i}`);
    expect(limiter.size).toBe(0);
  });
});
