/**
 * What each user may send, and be sent of what they missed, over all their sockets. Everybody in a room receives what
 * one user sends, so a few large bursts, or fifty sockets that type, could slow down other readers. Budgets outlive the
 * sockets: reconnecting does not refill them.
 */
import { TEXT_PER_USER } from '../../../../protocol/limits.ts';
import { TokenBucket } from '../../../platform/limits/token-bucket.ts';

const SECOND_US = 1_000_000;
/** A token is a KiB of JSON. */
const CONTENT = {
  capacity: TEXT_PER_USER.burstKib,
  refill: TEXT_PER_USER.kibPerSecond,
  refillIntervalUs: SECOND_US,
};
/** Changes that are sent to the room. Nobody starts and stops typing this often by hand. */
const TYPING = { capacity: 40, refill: 10, refillIntervalUs: SECOND_US };
/** People whom lines ask to watch: the profiles of each are read. Twenty tabs may come back with the longest list. */
const WATCHED = { capacity: 10_000, refill: 1000, refillIntervalUs: SECOND_US };
/** KiB of what a user missed: as much as pages of history (platform/limits/fair-places.ts). */
const MISSED = { capacity: 8192, refill: 4096, refillIntervalUs: SECOND_US };
/** About 9 MB. */
const MAX_USERS = 10_000;

export interface UserBudgets {
  readonly content: TokenBucket;
  readonly typing: TokenBucket;
  readonly watched: TokenBucket;
  readonly missed: TokenBucket;
}

/**
 * The budgets by user, in order of last use. When the book is full it forgets users whose budgets are full, as a new
 * budget is the same, and after them the user that opened no socket for longest: at worst that one gets another burst.
 */
export class UserBudgetBook {
  readonly #maxUsers: number;
  readonly #users = new Map<number, UserBudgets>();
  #newUsersUntilSweep = 0;

  constructor(maxUsers = MAX_USERS) {
    this.#maxUsers = maxUsers;
  }

  get size(): number {
    return this.#users.size;
  }

  of(userId: number): UserBudgets {
    let budgets = this.#users.get(userId);
    if (budgets) this.#users.delete(userId);
    else {
      if (this.#users.size >= this.#maxUsers) this.#makeRoom();
      this.#newUsersUntilSweep--;
      budgets = {
        content: new TokenBucket(CONTENT),
        typing: new TokenBucket(TYPING),
        watched: new TokenBucket(WATCHED),
        missed: new TokenBucket(MISSED),
      };
    }
    this.#users.set(userId, budgets);
    return budgets;
  }

  /** Looks at every user only once in many new ones, so that each costs a constant time. */
  #makeRoom(): void {
    if (this.#newUsersUntilSweep <= 0) {
      for (const [userId, budgets] of this.#users) {
        if (Object.values(budgets).every((budget: TokenBucket) => budget.isFull()))
          this.#users.delete(userId);
      }
      this.#newUsersUntilSweep = Math.ceil(this.#maxUsers / 8);
    }
    if (this.#users.size < this.#maxUsers) return;
    const [oldest] = this.#users.keys();
    if (oldest !== undefined) this.#users.delete(oldest);
  }
}
