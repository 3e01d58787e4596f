/** Refusals that are still valid, so that a client that does not wait costs the shared buckets nothing. */
import type { Decision } from './limiter.ts';
import type { MonotonicClock } from './token-bucket.ts';

/** Beyond it the oldest are forgotten, and asked for again. */
const MAX_REMEMBERED = 100_000;
/** Each new one checks this many of the oldest, so that a quiet table shrinks. */
const LOOKED_AT_PER_NEW = 2;

export class Refusals {
  readonly #nowUs: MonotonicClock;
  /** By key: until when the refusal is valid. */
  readonly #until = new Map<string, number>();

  constructor(nowUs: MonotonicClock) {
    this.#nowUs = nowUs;
  }

  get size(): number {
    return this.#until.size;
  }

  /** The refusal of this key, if there is one. */
  of(key: string): Decision | undefined {
    const until = this.#until.get(key);
    if (until === undefined) return undefined;
    const leftUs = until - this.#nowUs();
    if (leftUs > 0) return { allowed: false, retryAfterMs: Math.ceil(leftUs / 1000) };
    this.#until.delete(key);
    return undefined;
  }

  add(key: string, waitUs: number): void {
    const nowUs = this.#nowUs();
    let left = LOOKED_AT_PER_NEW;
    for (const [oldest, until] of this.#until) {
      if (left-- === 0 || (until > nowUs && this.#until.size < MAX_REMEMBERED)) break;
      this.#until.delete(oldest);
    }
    this.#until.delete(key);
    this.#until.set(key, nowUs + waitUs);
  }
}
