import { TEXT_PER_USER } from '../../protocol/limits.ts';
import { textKib } from '../../protocol/text.ts';
import type { Clock } from '../clock.ts';

/** The server's limit, from `hello`. Zero in either field means no limit. */
export interface MessageLimit {
  readonly messages_per_second: number;
  readonly message_burst: number;
}

/** The clocks of two machines differ. Staying a tenth below the limit also leaves room for the user's other tabs. */
const SHARE = 0.9;

/**
 * Keeps a sender within the server's limits on messages and on text. Messages can be delayed and arrive bunched, so
 * the budget of a message starts to refill only when the server has responded to it: by then the server has counted
 * it. Thus the server never refuses a message for its rate, whatever the network does, and their order is kept.
 */
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

  /** How long to wait before sending this message, in milliseconds; Infinity: until the server has responded. */
  waitMs(content: string): number {
    return this.#isUnlimited ? 0 : Math.max(this.#messages.waitMs(1), this.#text.waitMs(textKib(content)));
  }

  /** The message is sent. */
  sent(content: string): void {
    this.#messages.reserve(1);
    this.#text.reserve(textKib(content));
  }

  /** The server has responded to a message that was sent, or never will. */
  settled(content: string): void {
    this.#messages.settle(1);
    this.#text.settle(textKib(content));
  }
}

class Bucket {
  readonly #perMs: number;
  readonly #capacity: number;
  readonly #clock: Clock;
  /** The cost of what the server has not responded to. */
  #reserved = 0;
  /** What is missing to a full bucket, without the reserved. It refills with time. */
  #missing = 0;
  #at: number;

  constructor(perSecond: number, burst: number, clock: Clock) {
    this.#perMs = (perSecond * SHARE) / 1000;
    this.#capacity = Math.max(1, Math.floor(burst * SHARE));
    this.#clock = clock;
    this.#at = clock.elapsed();
  }

  waitMs(cost: number): number {
    this.#refill();
    const room = this.#capacity - cost - this.#reserved;
    // What is larger than the bucket goes when the bucket is full.
    if (room < 0 && this.#reserved > 0) return Number.POSITIVE_INFINITY;
    const excess = this.#missing - Math.max(0, room);
    return excess <= 0 ? 0 : Math.ceil(excess / this.#perMs);
  }

  reserve(cost: number): void {
    this.#reserved += cost;
  }

  settle(cost: number): void {
    this.#refill();
    this.#reserved -= cost;
    this.#missing += cost;
  }

  #refill(): void {
    const now = this.#clock.elapsed();
    this.#missing = Math.max(0, this.#missing - Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
