/** The limit on requests: a rate per client address and path, and a ceiling per address over all paths. */
import { addressKey } from '../net/client-address.ts';
import { rateLimitKey } from '../net/rate-key.ts';
import type { Decision } from './limiter.ts';
import { createMemoryLimits, type LimiterPair, type Limits } from './limits.ts';

const SECOND_US = 1_000_000;
/** An address may use this many paths at their full rate: every room has a path, and rooms are unlimited. */
const CEILING_PATHS = 50;

export interface RequestLimitOptions {
  /** Requests per address and path. A zero in either turns both limits off. */
  perSecond: number;
  burst: number;
  /** Whether an address is in RATE_LIMIT_EXEMPT. */
  isExempt(address: string): boolean;
  /** Where the buckets are; by default in this process. */
  limits?: Limits;
}

/** Ends the keys of requests of foreign pages. No path has a space. */
const FOREIGN = ' foreign';

/** A request as it is counted. */
export interface Counted {
  address: string;
  target: string;
  isReal: boolean;
  isForeign: boolean;
}

export class RequestLimit {
  readonly isExempt: (address: string) => boolean;
  readonly #limiter: LimiterPair | undefined;

  constructor({ perSecond, burst, isExempt, limits = createMemoryLimits() }: RequestLimitOptions) {
    this.isExempt = isExempt;
    if (perSecond === 0 || burst === 0) return;
    const rateOf = (paths: number) => ({
      capacity: burst * paths,
      refill: perSecond * paths,
      refillIntervalUs: SECOND_US,
    });
    this.#limiter = limits.pair(['requests of a path', 'requests'], [rateOf(1), rateOf(CEILING_PATHS)]);
  }

  /** Whether there is no limit at all. */
  get isOff(): boolean {
    return this.#limiter === undefined;
  }

  /**
   * Counts one request for `target`. All targets that do not exist (`isReal` false) are one path. What foreign pages
   * make a browser send (`isForeign`) is counted apart, so that they take nothing from their visitor.
   */
  take({ address, target, isReal, isForeign }: Counted): Decision | Promise<Decision> {
    if (!this.#limiter || this.isExempt(address)) return { allowed: true };
    const apart = isForeign ? FOREIGN : '';
    return this.#limiter.take(rateLimitKey(address, target, isReal) + apart, addressKey(address) + apart);
  }
}
