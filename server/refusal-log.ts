/**
 * Refused requests and sockets, at `info`: an operator sees who is refused, and why. A flood of refusals must not become a
 * flood of lines, so each address has a few, and all together have a bound, too. What is left out is counted.
 */
import { MemoryLimiter } from './limits/memory.ts';
import { TokenBucket } from './limits/token-bucket.ts';
import { type Logger, throttled } from './log.ts';

/** Lines about one address: 20 at once, then one a second. */
const OF_ADDRESS = { capacity: 20, refill: 1, refillIntervalUs: 1_000_000, maxKeys: 10_000 };
/** Lines about all addresses: 200 at once, then 20 a second. */
const OF_ALL = { capacity: 200, refill: 20, refillIntervalUs: 1_000_000 };

export class RefusalLog {
  readonly #log: Logger;
  readonly #ofAddress = new MemoryLimiter(OF_ADDRESS);
  readonly #ofAll = new TokenBucket(OF_ALL);
  readonly #leftOut: (event: undefined) => void;

  constructor(log: Logger) {
    this.#log = log;
    this.#leftOut = throttled((_, count) =>
      log.info({ count }, 'refusals were not logged: there are too many'),
    );
  }

  /** `fields`: what happened, without anything secret. */
  write(message: string, address: string, fields: object): void {
    if (!this.#log.isLevelEnabled('info')) return;
    const isLogged = this.#ofAddress.take(address).allowed && this.#ofAll.take().allowed;
    if (isLogged) this.#log.info({ address, ...fields }, message);
    else this.#leftOut(undefined);
  }
}
