import type { Cancel, Clock } from '../clock.ts';

interface Timer {
  dueAt: number;
  readonly run: () => void;
}

/** A clock that moves only when a test or a simulation moves it. */
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

  /** Sets the system time, as a user or NTP does. Timers keep their delay. */
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

  /** The time until the next timer fires, in milliseconds, or null without a timer. */
  get nextInMs(): number | null {
    const next = this.#next();
    return next === undefined ? null : next.dueAt - this.#now;
  }

  /** Moves the clock by `byMs`, and fires the timers that are due, in order. */
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
