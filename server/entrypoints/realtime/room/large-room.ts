/**
 * What a large room spares. A frame costs as much as there are seats, and people come, go and type the more often the
 * more they are. So presence and typing are told the less often the larger the room is, and cost the same in all large
 * rooms.
 */
import { PRESENCE_WINDOW } from '../../../../protocol/limits.ts';
import { type BucketRate, type MonotonicClock, TokenBucket } from '../../../platform/limits/token-bucket.ts';

/** Frames to seats: 20 000 at once, then 5000 a second. Above 100 seats this is less than 50 changes a second. */
const TYPING_FRAMES: BucketRate = { capacity: 20_000, refill: 5000, refillIntervalUs: 1_000_000 };

/** For how long joins and leaves are collected while this number of users is in the room. */
export function presenceWindowMs(online: number): number {
  const { minMs, maxMs, msPerUser } = PRESENCE_WINDOW;
  return Math.min(maxMs, Math.max(minMs, online * msPerUser));
}

/** Which changes of typing a room tells: a beginning where the budget allows it, and then its end, too. */
export class TypingBudget {
  readonly #frames: TokenBucket;

  /** Users whose typing was told last, and not its end. */
  readonly #told = new Set<number>();

  constructor(nowUs?: MonotonicClock) {
    this.#frames = new TokenBucket(TYPING_FRAMES, nowUs);
  }

  /** Whether a change is told to this number of seats, which is then charged. */
  tells({ userId, isTyping }: { userId: number; isTyping: boolean }, seats: number): boolean {
    const isAllowed = this.#take(seats);
    if (!isTyping) return this.#told.delete(userId);
    if (isAllowed) this.#told.add(userId);
    return isAllowed;
  }

  #take(seats: number): boolean {
    return seats === 0 || this.#frames.take(Math.min(seats, TYPING_FRAMES.capacity)).allowed;
  }
}
