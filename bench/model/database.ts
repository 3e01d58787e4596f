/** PostgreSQL in the model: row locks of rooms, and commits that share flushes of the write-ahead log. */
import type { Costs } from './costs.ts';
import { type Machine, Thread } from './cpu.ts';
import type { Events } from './events.ts';

interface Waiting {
  rooms: readonly number[];
  granted(): void;
}

export class Database {
  readonly #events: Events;
  readonly #costs: Pick<Costs, 'rowUs' | 'batchUs' | 'flushUs'>;
  readonly #machine: Machine;
  readonly #backends = new Map<string, Thread>();
  readonly #locked = new Set<number>();
  #waiting: Waiting[] = [];
  #committing: (() => void)[] = [];
  #isFlushing = false;

  constructor(events: Events, machine: Machine, costs: Pick<Costs, 'rowUs' | 'batchUs' | 'flushUs'>) {
    this.#events = events;
    this.#machine = machine;
    this.#costs = costs;
  }

  get usedUs(): number {
    return [...this.#backends.values()].reduce((sum, { usedUs }) => sum + usedUs, 0);
  }

  /** Stores a batch over the connection of a writer; calls back when it is durable and its locks are free. */
  store(writer: string, rooms: readonly number[], done: () => void): void {
    const backend = this.#backendOf(writer);
    const distinct = [...new Set(rooms)];
    this.#waiting.push({
      rooms: distinct,
      granted: () =>
        backend.run(this.#costs.batchUs + rooms.length * this.#costs.rowUs, () =>
          this.#commit(() => {
            for (const room of distinct) this.#locked.delete(room);
            done();
            this.#grant();
          }),
        ),
    });
    this.#grant();
  }

  /** A batch begins when all of its rooms are free. Those that came first go first. */
  #grant(): void {
    const wanted = new Set<number>();
    this.#waiting = this.#waiting.filter(({ rooms, granted }) => {
      const isFree = rooms.every((room) => !this.#locked.has(room) && !wanted.has(room));
      for (const room of rooms) (isFree ? this.#locked : wanted).add(room);
      if (isFree) granted();
      return !isFree;
    });
  }

  /** All commits that wait when a flush begins share it. */
  #commit(done: () => void): void {
    this.#committing.push(done);
    if (!this.#isFlushing) this.#flush();
  }

  #flush(): void {
    const commits = this.#committing;
    this.#committing = [];
    this.#isFlushing = true;
    this.#events.after(this.#costs.flushUs, () => {
      this.#isFlushing = false;
      for (const done of commits) done();
      if (this.#committing.length > 0 && !this.#isFlushing) this.#flush();
    });
  }

  #backendOf(writer: string): Thread {
    let backend = this.#backends.get(writer);
    if (!backend) {
      backend = new Thread(this.#machine);
      this.#backends.set(writer, backend);
    }
    return backend;
  }
}
