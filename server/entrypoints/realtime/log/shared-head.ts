/**
 * Reads of a log's head. Callers that ask at the same time share one read, and reads follow each other slowly: however
 * many clients claim to be ahead of this process, the database sees a few reads a second for each log.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 100;

export class SharedHead {
  readonly #read: () => Promise<number>;
  /** The read that has not begun yet. */
  #next: Promise<number> | null = null;
  /** Resolves when the next read may begin. */
  #pause: Promise<unknown> | undefined;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** The log's head, from a read that begins after this call. Rejects when the read fails. */
  read(): Promise<number> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<number> {
    await this.#pause;
    // A caller that comes from here on may know of changes that this read does not see.
    this.#next = null;
    const reading = this.#read();
    this.#pause = Promise.allSettled([reading, sleep(EVERY_MS, undefined, { ref: false })]);
    return await reading;
  }
}
