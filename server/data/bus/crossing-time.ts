/**
 * How long events of different processes cross each other at present. A busy process reads its sockets late, so what
 * seems to be missing comes later, too: reading it from the database would make that process busier still. The time
 * follows what was observed, and falls back when nothing is late any more.
 */

const MOST_MS = 1000;
/** What is above the least is halved in this time. */
const HALF_LIFE_MS = 5000;
/** The wait is this many times the observed delay. */
const MARGIN = 2;

export class CrossingTime {
  /** A busy machine stops a process for tens of milliseconds, between its commit and its announcement, too. */
  static readonly LEAST_MS = 50;
  readonly #now: () => number;
  /** Above the least, at the time of the last increase. */
  #extraMs = 0;
  #at = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get ms(): number {
    if (this.#extraMs === 0) return CrossingTime.LEAST_MS;
    return CrossingTime.LEAST_MS + this.#extraMs * 2 ** ((this.#at - this.#now()) / HALF_LIFE_MS);
  }

  /** An event came this long after it was missed. */
  observe(ms: number): void {
    const wanted = Math.min(MARGIN * ms, MOST_MS);
    if (wanted <= this.ms) return;
    this.#extraMs = wanted - CrossingTime.LEAST_MS;
    this.#at = this.#now();
  }
}
