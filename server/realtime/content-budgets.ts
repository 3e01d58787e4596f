/**
 * How much text each user may send, over all their sockets: what one sends, everybody in the room receives, so a few
 * large bursts could put honest readers behind. A budget outlives the sockets: coming back does not fill it.
 */
import { TEXT_PER_USER } from '../../protocol/limits.ts';
import { TokenBucket } from '../limits/token-bucket.ts';

/** A token is a KiB of JSON. */
const RATE = {
  capacity: TEXT_PER_USER.burstKib,
  refill: TEXT_PER_USER.kibPerSecond,
  refillIntervalUs: 1_000_000,
};
/** Budgets that are remembered before those that are full again are forgotten. */
const SWEEP_ABOVE = 10_000;

export class ContentBudgets {
  readonly #users = new Map<number, TokenBucket>();

  of(userId: number): TokenBucket {
    const known = this.#users.get(userId);
    if (known) return known;
    if (this.#users.size >= SWEEP_ABOVE) this.#forgetFull();
    const bucket = new TokenBucket(RATE);
    this.#users.set(userId, bucket);
    return bucket;
  }

  /** A full budget is like a new one; who still holds it goes on with it, and at worst gets one more burst. */
  #forgetFull(): void {
    for (const [userId, bucket] of this.#users) if (bucket.isFull()) this.#users.delete(userId);
  }
}
