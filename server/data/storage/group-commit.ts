/**
 * Group commit: items that arrive while a commit runs make the next batch, so one fsync serves them all, and the
 * busier it gets the more they share (DeWitt et al., "Implementation Techniques for Main Memory Database Systems").
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../protocol/errors.ts';
import { measureCommit } from '../../platform/metrics/measures.ts';

/** Turns in which a batch may grow: a stream that never pauses closes it, too. */
const MAX_TURNS = 8;

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface GroupCommitLimits {
  /** Items in one batch at most. */
  maxBatch: number;
  /** Bytes that may wait. Beyond it new items are refused at once instead of waiting too long. */
  maxWaitingBytes: number;
}

/**
 * Stands in a batch's results for an item that failed by itself and changed nothing; the rest of the batch is stored.
 */
export class ItemFailure {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}

export class GroupCommit<Item, Result> {
  readonly #commit: (items: Item[]) => Promise<(Result | ItemFailure)[]>;
  readonly #weigh: (item: Item) => number;
  readonly #limits: GroupCommitLimits;
  #waiting: Waiting<Item, Result>[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  /**
   * `commit` stores a batch and resolves with one result for each item, in order. When it rejects, nothing of the batch
   * was stored.
   */
  constructor(
    commit: (items: Item[]) => Promise<(Result | ItemFailure)[]>,
    weigh: (item: Item) => number,
    limits: GroupCommitLimits,
  ) {
    this.#commit = commit;
    this.#weigh = weigh;
    this.#limits = limits;
  }

  /** Resolves when the item is committed; in the order of submission. */
  submit(item: Item): Promise<Result> {
    const weight = this.#weigh(item);
    if (this.#waitingBytes + weight > this.#limits.maxWaitingBytes) {
      return Promise.reject(new AppError('service_unavailable', { retryAfterMs: 1000 }));
    }
    this.#waitingBytes += weight;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, weight, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is waiting and nothing runs. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, this.#limits.maxBatch);
      for (const { weight } of batch) this.#waitingBytes -= weight;
      const begun = performance.now();
      try {
        const results = await this.#commit(batch.map(({ item }) => item));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const result = results[index];
          if (result instanceof ItemFailure) reject(result.error);
          else resolve(result as Result);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      measureCommit(batch.length, performance.now() - begun);
    }
    this.#running = undefined;
  }

  /**
   * Lets the event loop turn until a turn brings nothing more, before a batch is closed. The first turn writes out what
   * the last batch announced, the next ones read what came meanwhile. Otherwise a batch would hold the messages of one
   * socket, and each would cost its room a write to every member, and the disk a sync. An idle loop turns twice, in
   * microseconds.
   */
  async #gather(): Promise<void> {
    await nextTurn();
    let gathered = 0;
    for (let turns = 0; turns < MAX_TURNS && this.#waiting.length > gathered; turns++) {
      gathered = this.#waiting.length;
      await nextTurn();
    }
  }
}
