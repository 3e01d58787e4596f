import { describe, expect, it } from 'vitest';
import { TokenBucket, takeFromAll } from './token-bucket.ts';

const SECOND_US = 1_000_000;

describe('takeFromAll', () => {
  const at = { us: 0 };
  const bucket = (capacity: number, refill: number) =>
    new TokenBucket({ capacity, refill, refillIntervalUs: SECOND_US }, () => at.us);

  it('takes from every bucket or from none, in any order', () => {
    for (const swapped of [false, true]) {
      const [small, large] = [bucket(1, 1), bucket(10, 1)];
      const pairs = [[small, 1] as const, [large, 5] as const];
      if (swapped) pairs.reverse();
      expect(takeFromAll(...pairs)).toEqual({ allowed: true });
      for (let count = 0; count < 3; count++) expect(takeFromAll(...pairs).allowed).toBe(false);
      expect(large.take(5)).toEqual({ allowed: true });
      expect(large.take(1).allowed).toBe(false);
    }
  });

  it('a refusal has the longest of the waits', () => {
    const [fast, slow] = [bucket(1, 2), bucket(1, 1)];
    takeFromAll([fast, 1], [slow, 1]);
    expect(takeFromAll([fast, 1], [slow, 1])).toEqual({ allowed: false, retryAfterMs: 1000 });
  });
});
