/** The state of the process, and the new work that it refuses because of it. */
import { AppError } from '../../protocol/errors.ts';

const DRAINING_RETRY_MS = 1000;
/** Clients come back from an overload spread over this time. */
const OVERLOAD_RETRY_MS = { min: 2000, max: 6000 };

export class Lifecycle {
  /** Set before a stop. */
  draining = false;
  /** There is more to do than the process can (overload.ts). */
  isOverloaded = false;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Why new sockets are refused now; undefined: they are not. */
  get refusal(): AppError | undefined {
    if (this.draining) return new AppError('service_unavailable', { retryAfterMs: DRAINING_RETRY_MS });
    return this.isOverloaded ? this.#overload() : undefined;
  }

  /** Why writing requests are refused now. A stop finishes those that have arrived. */
  get overloadRefusal(): AppError | undefined {
    return this.isOverloaded ? this.#overload() : undefined;
  }

  /**
   * Why a message, or a change of one, over an open socket is refused now. An overload does not refuse it: the queue of
   * commits has its own bound.
   */
  get frameRefusal(): AppError | undefined {
    return this.draining ? this.refusal : undefined;
  }

  #overload(): AppError {
    const { min, max } = OVERLOAD_RETRY_MS;
    const retryAfterMs = Math.round(min + (max - min) * this.#random());
    return new AppError('service_unavailable', { retryAfterMs });
  }
}
