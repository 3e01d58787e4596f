/** When each socket reconnects after a planned restart: spread out, and each address within its limit. */

/** A restart takes about this long. The clients come back after it, spread over one millisecond a socket. */
const RESTART_DELAY_MS = 1000;
const SPREAD_MAX_MS = 8000;

/** Requests per address and path; a zero in either is no limit. */
export interface RequestRate {
  perSecond: number;
  burst: number;
}

export class ReturnTimes {
  readonly #rate: RequestRate;
  readonly #afterMs: number;
  readonly #spreadMs: number;
  readonly #returns = new Map<string, number>();

  constructor(rate: RequestRate, sockets: number, afterMs = RESTART_DELAY_MS) {
    this.#rate = rate;
    this.#afterMs = afterMs;
    this.#spreadMs = Math.min(SPREAD_MAX_MS, sockets);
  }

  /** Milliseconds until the next socket of an address comes back; `undefined` is an address without a limit. */
  next(addressKey: string | undefined): number {
    return Math.round(this.#afterMs + Math.random() * this.#spreadMs + this.#waitMs(addressKey));
  }

  /**
   * A return is one request for a ticket and one for the socket, each on a path of its own, so an address has `burst`
   * returns and then `perSecond` each second. Half of the burst is left for returns that nobody schedules: v1 clients
   * and people who reload.
   */
  #waitMs(addressKey: string | undefined): number {
    const { perSecond, burst } = this.#rate;
    if (addressKey === undefined || perSecond === 0 || burst === 0) return 0;
    const earlier = this.#returns.get(addressKey) ?? 0;
    this.#returns.set(addressKey, earlier + 1);
    return (Math.max(0, earlier + 1 - burst / 2) * 1000) / perSecond;
  }
}
