/** What a socket may send: budgets of its own, and those of its user over all their sockets. */
import { textKib } from '../../../../protocol/text.ts';
import type { Decision } from '../../../platform/limits/limiter.ts';
import { type BucketRate, TokenBucket, takeFromAll } from '../../../platform/limits/token-bucket.ts';
import { UserBudgetBook, type UserBudgets } from './user-budgets.ts';

const KIB = 1024;
const SECOND_US = 1_000_000;
const ALLOWED: Decision = Object.freeze({ allowed: true });
/** Pings: one token for each KiB of the frame. */
const PINGS = { capacity: 60, refill: 20, refillIntervalUs: SECOND_US };
/** Typing frames, each KiB a token. Far above every keyboard's repeat rate: beyond it they are a flood. */
const TYPING_FRAMES = { capacity: 1000, refill: 200, refillIntervalUs: SECOND_US };
/** Frames of a line that ask for little, each KiB a token: switching rooms, reading, watching. */
const REQUESTS = { capacity: 200, refill: 40, refillIntervalUs: SECOND_US };
/**
 * Changes of messages, each with the padding of its frame. The budget of the user (server/features/messages/changes.ts)
 * is lower, and answers first: this one is for floods.
 */
const CHANGES = { capacity: 80, refill: 20, refillIntervalUs: SECOND_US };
/** Rooms that are opened: a client comes back to several at once. */
const OPENS = { capacity: 50, refill: 30, refillIntervalUs: SECOND_US };
/** A client that uses these up is misbehaving, not mistaken. */
const REFUSALS = { capacity: 100, refill: 1, refillIntervalUs: SECOND_US };

export class SocketBudgets {
  /** Undefined: unlimited, for the text of the user's messages, too. */
  readonly #messageRate: BucketRate | undefined;
  #messages: TokenBucket | undefined;
  readonly #ofUser: UserBudgets;
  /** Each is made when it is first needed: most sockets only listen. */
  #pings: TokenBucket | undefined;
  #refusals: TokenBucket | undefined;
  #typingFrames: TokenBucket | undefined;
  #requests: TokenBucket | undefined;
  #opens: TokenBucket | undefined;
  #changes: TokenBucket | undefined;

  constructor(messageRate: BucketRate | undefined, ofUser: UserBudgets) {
    this.#messageRate = messageRate;
    this.#ofUser = ofUser;
  }

  /** A message whose frame has `bytes` bytes. */
  takeMessage(content: string, bytes: number): Decision {
    if (!this.#messageRate) return ALLOWED;
    this.#messages ??= new TokenBucket(this.#messageRate);
    // A careless encoder makes a frame several times its text. Beyond that it is padding, and costs as much as text.
    const kib = Math.max(textKib(content), Math.floor(bytes / 8 / KIB));
    return takeFromAll([this.#messages, 1], [this.#ofUser.content, kib]);
  }

  /** A change of a message whose frame has `bytes` bytes. */
  takeChange(bytes: number): Decision {
    if (!this.#messageRate) return ALLOWED;
    this.#changes ??= new TokenBucket(CHANGES);
    return this.#changes.take(Math.max(1, Math.floor(bytes / 8 / KIB)));
  }

  /** A typing frame has arrived, whether or not it changes anything. */
  takeTypingFrame(bytes: number): Decision {
    this.#typingFrames ??= new TokenBucket(TYPING_FRAMES);
    return this.#typingFrames.take(costOf(bytes));
  }

  /** The user starts or stops typing, and the room is to be notified. */
  takeTypingChange(): boolean {
    return this.#ofUser.typing.take().allowed;
  }

  takeRequest(bytes: number): Decision {
    this.#requests ??= new TokenBucket(REQUESTS);
    return this.#requests.take(costOf(bytes));
  }

  /** A frame that asks to watch so many people. */
  takeWatch(people: number, bytes: number): Decision {
    this.#requests ??= new TokenBucket(REQUESTS);
    return takeFromAll([this.#requests, costOf(bytes)], [this.#ofUser.watched, people]);
  }

  takeOpen(): Decision {
    this.#opens ??= new TokenBucket(OPENS);
    return this.#opens.take();
  }

  /** How long the user waits for more of what they missed. */
  get missedWaitMs(): number {
    if (!this.#messageRate) return 0;
    const decision = this.#ofUser.missed.check();
    return decision.allowed ? 0 : decision.retryAfterMs;
  }

  /** The user was sent so much of what they missed. */
  countMissed(bytes: number): void {
    this.#ofUser.missed.owe(Math.ceil(bytes / KIB));
  }

  takePing(bytes = 0): Decision {
    this.#pings ??= new TokenBucket(PINGS);
    return this.#pings.take(costOf(bytes));
  }

  takeRefusal(): boolean {
    this.#refusals ??= new TokenBucket(REFUSALS);
    return this.#refusals.take().allowed;
  }
}

export class BudgetBook {
  readonly #messageRate: BucketRate | undefined;
  readonly #users = new UserBudgetBook();

  /** `messageLimit`: of each socket; undefined is unlimited. */
  constructor(messageLimit: { perSecond: number; burst: number } | undefined) {
    this.#messageRate = messageLimit && {
      capacity: messageLimit.burst,
      refill: messageLimit.perSecond,
      refillIntervalUs: SECOND_US,
    };
  }

  /** The budgets of a new socket. */
  open(userId: number): SocketBudgets {
    return new SocketBudgets(this.#messageRate, this.#users.of(userId));
  }
}

function costOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / KIB));
}
