/**
 * A fixed number of connections, which callers borrow in turn. A connection that was lost is replaced when next used.
 * While the database is away, callers wait 5 s at most.
 */
import { AppError } from '../../../../protocol/errors.ts';
import type { PoolLoad } from '../../../platform/metrics/figures.ts';
import type { Connection } from './connection.ts';

/** Callers that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 10_000;
const PATIENCE_MS = 5000;

/** A place for a connection; undefined while none is open. */
type Slot = Connection | undefined;

export class Pool {
  readonly #open: () => Promise<Connection>;
  readonly #size: number;
  readonly #idle: Slot[];
  readonly #waiting = new Set<(slot: Slot) => void>();
  #onIdle: (() => void)[] = [];
  #isEnding = false;

  constructor(open: () => Promise<Connection>, size: number) {
    this.#open = open;
    this.#size = size;
    this.#idle = Array.from({ length: size }, () => undefined);
  }

  /** Connections that are open, those that are lent, and callers that wait for one. */
  get load(): PoolLoad {
    const busy = this.#size - this.#idle.length;
    const open = busy + this.#idle.filter((slot) => slot?.isLost === false).length;
    return { open, busy, waiting: this.#waiting.size };
  }

  /** Rejects with `service_unavailable` when too many wait, after 5 s, or after `end`; else as `body` does. */
  async use<T>(body: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isEnding || this.#waiting.size >= MAX_WAITING) throw unavailable();
    let slot = this.#idle.length > 0 ? this.#idle.pop() : await this.#nextSlot();
    try {
      slot = slot?.isLost === false ? slot : await this.#open();
      return await body(slot);
    } finally {
      this.#release(slot?.isLost === false ? slot : undefined);
    }
  }

  /** Refuses new callers, finishes those that were accepted, and closes the connections. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#idle.length < this.#size) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    await Promise.all(this.#idle.splice(0).map((connection) => connection?.close()));
  }

  #nextSlot(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const take = (slot: Slot) => {
        clearTimeout(patience);
        resolve(slot);
      };
      const patience = setTimeout(() => {
        this.#waiting.delete(take);
        reject(unavailable());
      }, PATIENCE_MS);
      this.#waiting.add(take);
    });
  }

  #release(slot: Slot): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      return next(slot);
    }
    this.#idle.push(slot);
    if (this.#idle.length === this.#size) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

function unavailable(): AppError {
  return new AppError('service_unavailable', { retryAfterMs: 1000 });
}
