import { TEXT_PER_USER } from '../../protocol/limits.ts';
import { textKib } from '../../protocol/text.ts';
import type { Clock } from '../clock.ts';

/** What the server says that it lets through; zero in either figure: no limit. */
export interface MessageLimit {
  readonly messages_per_second: number;
  readonly message_burst: number;
}

/** Messages take a while to arrive, and not always the same: a tenth less than the limit never runs into it. */
const SHARE = 0.9;

/** Keeps a sender within the server's limits of messages and of text, so that nothing is refused. */
export class Pacer {
  readonly limit: MessageLimit;
  readonly #messages: Bucket;
  readonly #text: Bucket;
  readonly #isUnlimited: boolean;

  constructor(limit: MessageLimit, clock: Clock) {
    this.limit = limit;
    this.#isUnlimited = limit.messages_per_second === 0 || limit.message_burst === 0;
    this.#messages = new Bucket(limit.messages_per_second, limit.message_burst, clock);
    this.#text = new Bucket(TEXT_PER_USER.kibPerSecond, TEXT_PER_USER.burstKib, clock);
  }

  /** How long to wait before this message; 0 when it may go now. */
  waitMs(content: string): number {
    return this.#isUnlimited ? 0 : Math.max(this.#messages.waitMs(1), this.#text.waitMs(textKib(content)));
  }

  /** The message goes. */
  take(content: string): void {
    this.#messages.take(1);
    this.#text.take(textKib(content));
  }
}

class Bucket {
  readonly #perMs: number;
  readonly #capacity: number;
  readonly #clock: Clock;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, burst: number, clock: Clock) {
    this.#perMs = (perSecond * SHARE) / 1000;
    this.#capacity = Math.max(1, Math.floor(burst * SHARE));
    this.#clock = clock;
    this.#tokens = this.#capacity;
    this.#at = clock.elapsed();
  }

  waitMs(cost: number): number {
    const now = this.#clock.elapsed();
    // A clock that was set back gives nothing and takes nothing.
    const gained = now > this.#at ? (now - this.#at) * this.#perMs : 0;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#at = now;
    return this.#tokens >= cost ? 0 : Math.ceil((cost - this.#tokens) / this.#perMs);
  }

  take(cost: number): void {
    this.#tokens -= cost;
  }
}
