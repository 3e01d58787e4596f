/** The answer to "may this happen now?"; `retryAfterMs` is the shortest wait after which it may. */
export type Decision = { allowed: true } | { allowed: false; retryAfterMs: number };

/**
 * A token bucket for every key: full at first, refilled evenly, never above its capacity.
 *
 * - Exact to the token: from full, `capacity` takes at one instant pass and the next does not.
 * - A refused take takes nothing, so that asking again and again does not put off the answer.
 * - Keys do not touch each other.
 * - Atomic: of two takers of the last token, in any process that shares the limiter, one gets it.
 * - Monotonic: no change of the wall clock gives or takes a token.
 * - Memory is bounded whatever keys come. What must be forgotten for that is forgotten in the keys' favour: a
 *   forgotten key is full again. Keys that are full anyway go first, then those not taken from for longest.
 *
 * Answers at once when the buckets are in this process, later when they are elsewhere; callers await either.
 */
export interface Limiter {
  /** Takes one token from the key's bucket, if it holds one. */
  take(key: string): Decision | Promise<Decision>;
  /**
   * Says what `take` would say, and takes nothing. For what is judged before and counted after, such as failed
   * logins; what runs between the two may exceed the limit by as many as run at once.
   */
  check(key: string): Decision | Promise<Decision>;
}
