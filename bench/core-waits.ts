/**
 * How long a thread waited for a core during a measurement, which tells a stall of the server from one of the machine:
 * while something else runs on the core, the server can do nothing.
 */

/** The time from one reading to the next. */
const EVERY_MS = 50;

export interface Waited {
  /** Of the time that was measured. */
  share: number;
  /** The most that a thread waited from one look to the next. A wait counts when it is over. */
  longestMs: number;
}

export class CoreWaits {
  readonly #read: () => number;
  readonly #from = performance.now();
  readonly #first: number;
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #longest = 0;

  /** `read` returns the seconds that the thread has waited so far. */
  constructor(read: () => number) {
    this.#read = read;
    this.#first = read();
    this.#last = this.#first;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  stop(): Waited {
    clearInterval(this.#timer);
    this.#look();
    const seconds = (performance.now() - this.#from) / 1000;
    return { share: (this.#last - this.#first) / seconds, longestMs: this.#longest * 1000 };
  }

  #look(): void {
    const now = this.#read();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}
