/** The cores of a machine, and the processes that take turns on them. */
import type { Events } from './events.ts';

interface Job {
  us: number;
  done(): void;
}

/** A process with one thread: its jobs run one after the other. */
export class Thread {
  readonly #machine: Machine;
  readonly #jobs: Job[] = [];
  #isBusy = false;
  /** CPU time so far. */
  usedUs = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  run(us: number, done: () => void): void {
    this.#jobs.push({ us, done });
    this.#next();
  }

  #next(): void {
    if (this.#isBusy) return;
    const job = this.#jobs.shift();
    if (!job) return;
    this.#isBusy = true;
    this.#machine.run(job.us, () => {
      this.usedUs += job.us;
      this.#isBusy = false;
      job.done();
      this.#next();
    });
  }
}

/** Some cores; jobs that find none free wait in the order in which they came. */
export class Machine {
  readonly #events: Events;
  #free: number;
  readonly #waiting: Job[] = [];

  constructor(events: Events, cores: number) {
    this.#events = events;
    this.#free = cores;
  }

  run(us: number, done: () => void): void {
    this.#waiting.push({ us, done });
    this.#next();
  }

  #next(): void {
    while (this.#free > 0) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#free--;
      this.#events.after(job.us, () => {
        this.#free++;
        job.done();
        this.#next();
      });
    }
  }
}
