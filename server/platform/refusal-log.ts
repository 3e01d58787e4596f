/**
 * Refused requests and sockets, at `info`: an operator sees who is refused, and why. A flood of refusals must not
 * become a flood of lines, so each reason has a few of one address, and a bound for all. What is left out is counted.
 */
import type { ErrorCode } from '../../protocol/errors.ts';
import { MemoryLimiter } from './limits/memory.ts';
import { type Logger, throttled } from './log.ts';

/** Lines with one reason about one address: 20 at once, then one a second. */
const OF_ADDRESS = { capacity: 20, refill: 1, refillIntervalUs: 1_000_000, maxKeys: 10_000 };
/**
 * Lines with one reason about all addresses: 200 at once, then 20 a second. One kind of flood hides no other refusals.
 */
const OF_REASON = { capacity: 200, refill: 20, refillIntervalUs: 1_000_000 };

export interface Refused {
  address: string;
  refusal: ErrorCode | undefined;
}

export class RefusalLog {
  readonly #log: Logger;
  readonly #ofAddress = new MemoryLimiter(OF_ADDRESS);
  readonly #ofReason = new MemoryLimiter(OF_REASON);
  readonly #leftOut: (event: undefined) => void;

  constructor(log: Logger) {
    this.#log = log;
    this.#leftOut = throttled((_, count) =>
      log.info({ count }, 'refusals were not logged: there are too many'),
    );
  }

  /** `details`: what happened, without anything secret. */
  write(message: string, { address, refusal }: Refused, details: object = {}): void {
    if (!this.#log.isLevelEnabled('info')) return;
    const isLogged =
      this.#ofAddress.take(`${refusal} ${address}`).allowed && this.#ofReason.take(`${refusal}`).allowed;
    if (isLogged) this.#log.info({ address, ...details, refusal }, message);
    else this.#leftOut(undefined);
  }
}
