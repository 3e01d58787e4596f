/**
 * What each user may send, over all their sockets: what one sends, everybody in the room receives, so a few large bursts,
 * or fifty sockets that type, could put honest readers behind. Budgets outlive the sockets: coming back does not fill them.
 */
import { TEXT_PER_USER } from '../../../protocol/limits.ts';
import { TokenBucket } from '../../limits/token-bucket.ts';

const SECOND_US = 1_000_000;
/** A token is a KiB of JSON. */
const CONTENT = {
  capacity: TEXT_PER_USER.burstKib,
  refill: TEXT_PER_USER.kibPerSecond,
  refillIntervalUs: SECOND_US,
};
/** Far more than two hands begin and end. */
const TYPING = { capacity: 40, refill: 10, refillIntervalUs: SECOND_US };
/** Budgets that are remembered before those that are full again are forgotten. */
const SWEEP_ABOVE = 10_000;

export interface UserBudgets {
  readonly content: TokenBucket;
  readonly typing: TokenBucket;
}

export class UserBudgetBook {
  readonly #users = new Map<number, UserBudgets>();

  of(userId: number): UserBudgets {
    const known = this.#users.get(userId);
    if (known) return known;
    if (this.#users.size >= SWEEP_ABOVE) this.#forgetFull();
    const budgets = { content: new TokenBucket(CONTENT), typing: new TokenBucket(TYPING) };
    this.#users.set(userId, budgets);
    return budgets;
  }

  /** A full budget is like a new one; who still holds it goes on with it, and at worst gets one more burst. */
  #forgetFull(): void {
    for (const [userId, { content, typing }] of this.#users) {
      if (content.isFull() && typing.isFull()) this.#users.delete(userId);
    }
  }
}
