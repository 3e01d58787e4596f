import { AppError } from '../../../protocol/errors.ts';

/** Whether something may happen now. `retryAfterMs` is the shortest wait after which it may. */
export type Decision = { allowed: true } | { allowed: false; retryAfterMs: number };

/**
 * A token bucket for every key: full at first, refilled evenly, never above its capacity.
 *
 * - Exact to the token: from full, `capacity` takes at one instant pass and the next does not.
 * - A refused take takes nothing, so that retries do not prolong the wait.
 * - Keys are independent.
 * - Atomic: of two takers of the last token, in any process that shares the limiter, one gets it.
 * - Monotonic: no change of the wall clock gives or takes a token. Processes that share their buckets use one clock,
 *   that of Redis: when it is set back nothing is taken, and when it is set forward buckets may refill early.
 * - Memory is bounded, whatever keys come. Eviction favours the client: an evicted key is full again. Full keys are
 *   evicted first, then the least recently used.
 *
 * Decides synchronously when the buckets are in this process, else returns a promise; callers await either.
 */
export interface Limiter {
  /** Takes one token from the key's bucket, if it holds one. */
  take(key: string): Decision | Promise<Decision>;
  /**
   * What `take` would return, without taking. For actions that are checked before and counted after, such as failed
   * logins: they may exceed the limit by the number that run at once.
   */
  check(key: string): Decision | Promise<Decision>;
}

/** Takes one token, or throws `too_many_requests`. Without a limiter or a key there is no limit. */
export async function takeOrRefuse(limiter: Limiter | undefined, key: string | undefined): Promise<void> {
  refuse(key === undefined ? undefined : await limiter?.take(key));
}

/** Throws `too_many_requests` when `takeOrRefuse` would, and takes nothing. */
export async function checkOrRefuse(limiter: Limiter | undefined, key: string | undefined): Promise<void> {
  refuse(key === undefined ? undefined : await limiter?.check(key));
}

function refuse(decision: Decision | undefined): void {
  if (decision?.allowed === false)
    throw new AppError('too_many_requests', { retryAfterMs: decision.retryAfterMs });
}
