import { TEXT_PER_USER } from '../../protocol/limits.ts';
import { textKib } from '../../protocol/text.ts';
import type { Clock } from '../clock.ts';

/** The server's limit, from `hello`. Zero in either field means no limit. */
export interface MessageLimit {
  readonly messages_per_second: number;
  readonly message_burst: number;
}

/** Network delays vary, so messages can arrive bunched. Staying a tenth below the limit avoids refusals. */
const SHARE = 0.9;

/** Keeps a sender within the server's limits on messages and on text. */
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

  /** How long to wait before sending this message, in milliseconds; 0 when it can be sent now. */
  waitMs(content: string): number {
    return this.#isUnlimited ? 0 : Math.max(this.#messages.waitMs(1), this.#text.waitMs(textKib(content)));
  }

  /** Takes the message from the budgets. */
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
    const gained = now > this.#at ? (now - this.#at) * this.#perMs : 0;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#at = now;
    return this.#tokens >= cost ? 0 : Math.ceil((cost - this.#tokens) / this.#perMs);
  }

  take(cost: number): void {
    this.#tokens -= cost;
  }
}
