import type { Decision, Limiter } from './limiter.ts';
import {
  type BucketLevel,
  type BucketRate,
  checkRate,
  decide,
  type MonotonicClock,
  missingUnits,
  monotonicUs,
} from './token-bucket.ts';

/** The most keys that are kept, about 30 MB with keys of usual length. */
const DEFAULT_MAX_KEYS = 100_000;
/** Each new key checks this many of the least recently used keys for eviction, so that a quiet table shrinks. */
const LOOKED_AT_PER_NEW_KEY = 2;

export interface MemoryLimiterOptions extends BucketRate {
  maxKeys?: number;
  nowUs?: MonotonicClock;
}

/** The limiter of a single process. The map is in order of last take: its first key is the least recently used. */
export class MemoryLimiter implements Limiter {
  readonly #rate: BucketRate;
  readonly #maxKeys: number;
  readonly #nowUs: MonotonicClock;
  readonly #levels = new Map<string, BucketLevel>();
  #newKeysUntilSweep = 0;

  constructor(options: MemoryLimiterOptions) {
    this.#rate = checkRate(options);
    this.#maxKeys = Math.max(1, options.maxKeys ?? DEFAULT_MAX_KEYS);
    this.#nowUs = options.nowUs ?? monotonicUs;
  }

  /** The number of keys kept. */
  get size(): number {
    return this.#levels.size;
  }

  check(key: string): Decision {
    const level = this.#levels.get(key);
    return decide(this.#rate, level === undefined ? 0 : missingUnits(this.#rate, level, this.#nowUs()));
  }

  take(key: string): Decision {
    const nowUs = this.#nowUs();
    const level = this.#levels.get(key);
    if (level === undefined) return this.#takeFirst(key, nowUs);
    const missing = missingUnits(this.#rate, level, nowUs);
    const decision = decide(this.#rate, missing);
    if (decision.allowed) {
      level.missing = missing + this.#rate.refillIntervalUs;
      level.atUs = nowUs;
    }
    // A refused key moves to the end, too: a key that is being refused must be evicted last.
    this.#levels.delete(key);
    this.#levels.set(key, level);
    return decision;
  }

  #takeFirst(key: string, nowUs: number): Decision {
    this.#dropOldestFull(nowUs);
    if (this.#levels.size >= this.#maxKeys) this.#makeRoom(nowUs);
    this.#newKeysUntilSweep--;
    this.#levels.set(key, { missing: this.#rate.refillIntervalUs, atUs: nowUs });
    return decide(this.#rate, 0);
  }

  #dropOldestFull(nowUs: number): void {
    let left = LOOKED_AT_PER_NEW_KEY;
    for (const [key, level] of this.#levels) {
      if (left-- === 0 || missingUnits(this.#rate, level, nowUs) > 0) return;
      this.#levels.delete(key);
    }
  }

  /** Looks at every key only once in many new ones, so that a flood of keys costs each a constant time. */
  #makeRoom(nowUs: number): void {
    if (this.#newKeysUntilSweep <= 0) {
      for (const [key, level] of this.#levels) {
        if (missingUnits(this.#rate, level, nowUs) === 0) this.#levels.delete(key);
      }
      this.#newKeysUntilSweep = Math.floor(this.#maxKeys / 8);
    }
    if (this.#levels.size < this.#maxKeys) return;
    const [oldest] = this.#levels.keys();
    if (oldest !== undefined) this.#levels.delete(oldest);
  }
}
