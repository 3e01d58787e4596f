/** Time in Unix milliseconds, as the parts of the server take it: `Date.now` for a process alone. */
export type Now = () => number;

/** The database's time, between two readings of this process's monotonic clock, all in milliseconds. */
export interface TimeReading {
  now: number;
  sentAt: number;
  receivedAt: number;
}

/**
 * One clock for all processes of a database, so that they agree on the age of a ticket or of a ban whatever their
 * hosts' clocks say. The database's time is carried on by the monotonic clock between two readings. A correction
 * forward takes effect at once. After one backward the clock runs at half speed until it is right, so time never goes
 * back.
 */
export class DatabaseClock {
  readonly #monotonic: () => number;
  /** What to add to the monotonic clock. */
  #offset: number | undefined;
  /** How far `now` was ahead of the database at `#slowSince`. */
  #ahead = 0;
  #slowSince = 0;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Throws before the first reading. */
  readonly now: Now = () => Math.floor(this.#at(this.#monotonic()));

  /** Takes a reading of the database's time. */
  correct({ now, sentAt, receivedAt }: TimeReading): void {
    const offset = now - (sentAt + receivedAt) / 2;
    const shown = this.#offset === undefined ? Number.NEGATIVE_INFINITY : this.#at(receivedAt);
    this.#offset = offset;
    this.#ahead = Math.max(0, shown - (receivedAt + offset));
    this.#slowSince = receivedAt;
  }

  #at(monotonic: number): number {
    if (this.#offset === undefined) throw new Error('the clock was not set');
    const ahead = Math.max(0, this.#ahead - (monotonic - this.#slowSince) / 2);
    return monotonic + this.#offset + ahead;
  }
}
