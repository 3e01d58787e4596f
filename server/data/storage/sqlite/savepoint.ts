/** Undoes what a part of a transaction has written, when that part throws, and leaves the rest of the transaction. */
import type { Sqlite } from './driver/driver.ts';

export class Savepoint {
  readonly #set;
  readonly #undo;
  readonly #release;

  constructor(sqlite: Sqlite) {
    this.#set = sqlite.prepare('SAVEPOINT command');
    this.#undo = sqlite.prepare('ROLLBACK TO command');
    this.#release = sqlite.prepare('RELEASE command');
  }

  /** Undoes what the `body` that runs now has written so far. */
  undo(): void {
    this.#undo.run();
  }

  /** Runs `body` within a transaction. Throws what `body` throws, or why it could not be undone. */
  around<T>(body: () => T): T {
    this.#set.run();
    try {
      const result = body();
      this.#release.run();
      return result;
    } catch (error) {
      this.#undo.run();
      this.#release.run();
      throw error;
    }
  }
}
