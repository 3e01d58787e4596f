/** The limit on requests: a rate per client address and path, and a ceiling per address over all paths. */
import { addressKey } from '../net/client-address.ts';
import { rateLimitKey } from '../net/rate-key.ts';
import type { Decision } from './limiter.ts';
import { MemoryLimiter } from './memory.ts';
import type { MonotonicClock } from './token-bucket.ts';

const SECOND_US = 1_000_000;
/** An address may use this many paths at their full rate: every room has a path, and rooms are unlimited. */
const CEILING_PATHS = 50;

export interface RequestLimitOptions {
  /** Requests per address and path. A zero in either turns both limits off. */
  perSecond: number;
  burst: number;
  /** Whether an address is in RATE_LIMIT_EXEMPT. */
  isExempt(address: string): boolean;
  nowUs?: MonotonicClock;
}

export class RequestLimit {
  readonly isExempt: (address: string) => boolean;
  readonly #byPath: MemoryLimiter | undefined;
  readonly #byAddress: MemoryLimiter | undefined;

  constructor({ perSecond, burst, isExempt, nowUs }: RequestLimitOptions) {
    this.isExempt = isExempt;
    if (perSecond === 0 || burst === 0) return;
    const limiter = (paths: number) =>
      new MemoryLimiter({
        capacity: burst * paths,
        refill: perSecond * paths,
        refillIntervalUs: SECOND_US,
        ...(nowUs && { nowUs }),
      });
    this.#byPath = limiter(1);
    this.#byAddress = limiter(CEILING_PATHS);
  }

  /** Counts one request for `target`. All targets that do not exist (`isReal` false) are one path. */
  take(address: string, target: string, isReal: boolean): Decision {
    if (!this.#byPath || !this.#byAddress || this.isExempt(address)) return { allowed: true };
    const decision = this.#byPath.take(rateLimitKey(address, target, isReal));
    return decision.allowed ? this.#byAddress.take(addressKey(address)) : decision;
  }
}
