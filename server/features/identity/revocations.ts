/** Ended sessions whose access tokens and tickets have not expired yet. */

/** Above this, the oldest revocations are replaced by `#refusedUntil`. */
const MAX_REMEMBERED = 100_000;
/** Longer than a ticket lives, with an hour more for a clock that is set back. */
const MARGIN_MS = 2 * 3_600_000;

export class Revocations {
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #limit: number;
  /** Session id to the time of its revocation, in Unix milliseconds; oldest first. */
  readonly #revokedAt = new Map<number, number>();
  /**
   * No token issued up to this moment is accepted. It rises when a revocation is dropped to keep the bound: every token
   * of that session is older. Other sessions lose their access tokens with it, and renew them with the next refresh.
   */
  #refusedUntil = Number.NEGATIVE_INFINITY;

  /** `accessTtlS`: the longest that an access token lives. `now`: Unix milliseconds. */
  constructor({
    accessTtlS,
    now,
    limit = MAX_REMEMBERED,
  }: { accessTtlS: number; now: () => number; limit?: number }) {
    this.#keepMs = accessTtlS * 1000 + MARGIN_MS;
    this.#now = now;
    this.#limit = limit;
  }

  /** Revocations since this time must be read at the start, in Unix milliseconds. */
  get since(): number {
    return this.#now() - this.#keepMs;
  }

  /** False when it was known already. */
  add(sessionId: number): boolean {
    if (this.#revokedAt.has(sessionId)) return false;
    this.#revokedAt.set(sessionId, this.#now());
    if (this.#revokedAt.size > this.#limit) this.#dropOldest();
    return true;
  }

  #dropOldest(): void {
    for (const [oldest, revokedAt] of this.#revokedAt) {
      this.#revokedAt.delete(oldest);
      this.#refusedUntil = Math.max(this.#refusedUntil, revokedAt);
      return;
    }
  }

  /** Whether a token of this session, issued then, has been revoked. */
  covers({ sessionId, issuedAt }: { sessionId: number; issuedAt: number }): boolean {
    return issuedAt <= this.#refusedUntil || this.#revokedAt.has(sessionId);
  }

  /** Whether the session was revoked of late. */
  has(sessionId: number): boolean {
    return this.#revokedAt.has(sessionId);
  }

  /** Drops revocations of sessions whose tokens have all expired. */
  sweep(): void {
    const { since } = this;
    for (const [sessionId, revokedAt] of this.#revokedAt)
      if (revokedAt < since) this.#revokedAt.delete(sessionId);
    if (this.#refusedUntil < since) this.#refusedUntil = Number.NEGATIVE_INFINITY;
  }
}
