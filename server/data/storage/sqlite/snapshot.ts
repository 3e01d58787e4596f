/** One state of the database for all statements of a read, while another connection goes on writing. */
import type { Sqlite } from './driver/driver.ts';

export class Snapshot {
  readonly #sqlite;
  readonly #begin;
  readonly #end;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare('BEGIN');
    this.#end = sqlite.prepare('COMMIT');
  }

  /** The first statement of `body` chooses the state. Throws what `body` throws. */
  around<T>(body: () => T): T {
    this.#begin.run();
    try {
      return body();
    } finally {
      // Some errors have ended it already.
      if (this.#sqlite.inTransaction) this.#end.run();
    }
  }
}
