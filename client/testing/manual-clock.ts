import type { Cancel, Clock } from '../clock.ts';

interface Timer {
  dueAt: number;
  readonly run: () => void;
}

/** A clock that stands still until it is told to move: for tests and simulations. */
export class ManualClock implements Clock {
  #now: number;
  #wasSetBy = 0;
  #timers: Timer[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now - this.#wasSetBy;
  }

  /** Somebody sets the clock. */
  set(byMs: number): void {
    this.#wasSetBy += byMs;
    this.#now += byMs;
    for (const timer of this.#timers) timer.dueAt += byMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { dueAt: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How long until the next timer fires, or null when none is set. */
  get nextInMs(): number | null {
    const next = this.#next();
    return next === undefined ? null : next.dueAt - this.#now;
  }

  /** Moves on by `byMs` and fires, in order of their time, the timers that come due. */
  advance(byMs: number): void {
    const until = this.#now + byMs;
    for (let next = this.#next(); next !== undefined && next.dueAt <= until; next = this.#next()) {
      const due = next;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#now = due.dueAt;
      due.run();
    }
    this.#now = until;
  }

  #next(): Timer | undefined {
    return this.#timers.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.dueAt < first.dueAt ? timer : first),
      undefined,
    );
  }
}
