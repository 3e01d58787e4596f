import { describe, expect, it } from 'vitest';
import type { Decision, Limiter } from './limiter.ts';
import type { BucketRate } from './token-bucket.ts';

/** A limiter under test, and the hand on its clock. */
export interface LimiterUnderTest {
  limiter: Limiter;
  /** Lets this number of microseconds pass for the limiter. */
  advanceUs(us: number): void | Promise<void>;
  close?(): Promise<void>;
}

const PER_SECOND_20: BucketRate = { capacity: 40, refill: 20, refillIntervalUs: 1_000_000 };

async function takeMany(limiter: Limiter, key: string, times: number): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let i = 0; i < times; i++) decisions.push(await limiter.take(key));
  return decisions;
}

function passed(decisions: Decision[]): number {
  return decisions.filter((decision) => decision.allowed).length;
}

/** What every limiter promises; run over each adapter. */
export function describeLimiter(name: string, create: (rate: BucketRate) => Promise<LimiterUnderTest>): void {
  async function using(rate: BucketRate, body: (subject: LimiterUnderTest) => Promise<void>): Promise<void> {
    const subject = await create(rate);
    try {
      await body(subject);
    } finally {
      await subject.close?.();
    }
  }

  describe(`Limiter contract: ${name}`, () => {
    it('41 at once: 40 pass, one is refused', () =>
      using(PER_SECOND_20, async ({ limiter }) => {
        const decisions = await takeMany(limiter, 'a', 41);
        expect(passed(decisions)).toBe(40);
        expect(decisions[40]).toEqual({ allowed: false, retryAfterMs: 50 });
      }));

    it('then 20 a second pass, evenly', () =>
      using(PER_SECOND_20, async ({ limiter, advanceUs }) => {
        await takeMany(limiter, 'a', 40);
        for (let i = 0; i < 20; i++) {
          await advanceUs(49_999);
          expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterMs: 1 });
          await advanceUs(1);
          expect(await limiter.take('a')).toEqual({ allowed: true });
        }
        expect((await limiter.take('a')).allowed).toBe(false);
      }));

    it('a refused take takes nothing', () =>
      using({ capacity: 1, refill: 1, refillIntervalUs: 1_000_000 }, async ({ limiter, advanceUs }) => {
        await limiter.take('a');
        for (let i = 0; i < 9; i++) {
          await advanceUs(100_000);
          expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterMs: 900 - i * 100 });
        }
        await advanceUs(100_000);
        expect(await limiter.take('a')).toEqual({ allowed: true });
      }));

    it('a bucket never holds more than its capacity', () =>
      using(PER_SECOND_20, async ({ limiter, advanceUs }) => {
        await takeMany(limiter, 'a', 1);
        await advanceUs(86_400_000_000);
        expect(passed(await takeMany(limiter, 'a', 100))).toBe(40);
      }));

    it('keys are independent', () =>
      using(PER_SECOND_20, async ({ limiter }) => {
        await takeMany(limiter, 'a', 41);
        expect(passed(await takeMany(limiter, 'b', 40))).toBe(40);
      }));

    it('check returns what take would, and takes nothing', () =>
      using({ capacity: 10, refill: 10, refillIntervalUs: 60_000_000 }, async ({ limiter, advanceUs }) => {
        for (let i = 0; i < 10; i++) {
          expect(await limiter.check('a')).toEqual({ allowed: true });
          expect(await limiter.check('a')).toEqual({ allowed: true });
          await limiter.take('a');
        }
        expect(await limiter.check('a')).toEqual({ allowed: false, retryAfterMs: 6000 });
        expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterMs: 6000 });
        await advanceUs(6_000_000);
        expect(await limiter.check('a')).toEqual({ allowed: true });
      }));

    it('of many concurrent takers, exactly as many succeed as there are tokens', () =>
      using({ capacity: 3, refill: 1, refillIntervalUs: 60_000_000 }, async ({ limiter }) => {
        const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.take('a')));
        expect(passed(decisions)).toBe(3);
      }));
  });
}
