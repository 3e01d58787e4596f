/** Where the buckets of all limiters are: in this process, or in Redis for all processes. */
import type { Decision, Limiter } from './limiter.ts';
import { MemoryLimiter } from './memory.ts';
import type { BucketRate, MonotonicClock } from './token-bucket.ts';

export interface Limits {
  /** `name`: of what is limited; each has one rate. */
  limiter(name: string, rate: BucketRate): Limiter;
  /** Limits two things at once, such as one path and all paths of an address. */
  pair(names: readonly [string, string], rates: readonly [BucketRate, BucketRate]): LimiterPair;
}

/** Two limiters that count the same events. */
export interface LimiterPair {
  /** Takes a token from both. When the first has none, the second one's is not taken. */
  take(first: string, second: string): Decision | Promise<Decision>;
}

/** The limits of a process that runs alone. */
export function createMemoryLimits(nowUs?: MonotonicClock): Limits {
  const create = (rate: BucketRate) => new MemoryLimiter({ ...rate, ...(nowUs && { nowUs }) });
  return {
    limiter: (_, rate) => create(rate),
    pair(_, rates) {
      const [first, second] = [create(rates[0]), create(rates[1])];
      return {
        take(firstKey, secondKey) {
          const decision = first.take(firstKey);
          return decision.allowed ? second.take(secondKey) : decision;
        },
      };
    },
  };
}
