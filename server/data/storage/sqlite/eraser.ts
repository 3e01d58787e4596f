/**
 * Removes the last copies of what was deleted: from the log, and from the unused parts of pages. docs/GUARANTEES.md
 * (G16) says how soon.
 */
import type { Checkpointer } from './checkpointer.ts';
import { pragma } from './database.ts';
import type { Sqlite } from './driver/driver.ts';
import { Slack } from './slack.ts';

/** Deletions of this time are erased together. */
const ERASE_AFTER_MS = 3000;
/** Between two steps others write, and reads in progress end. */
const PAUSE_MS = 2;
/** While another program reads, as a backup does, the next try is this far off: doubled up to the second value. */
const BUSY = { firstMs: 500, maxMs: 30_000 };
/** What is still to be erased when the database is closed gets this long. */
const CLOSING_MS = 1000;

export class Eraser {
  readonly #sqlite: Sqlite;
  readonly #file: string;
  readonly #checkpointer: Checkpointer;
  readonly #onError: (error: unknown) => void;
  #slack: Slack | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Something was deleted since the pass under way began. */
  #isDue = false;
  #busyMs = BUSY.firstMs;
  #pauseMs = PAUSE_MS;

  constructor(
    { sqlite, file, checkpointer }: { sqlite: Sqlite; file: string; checkpointer: Checkpointer },
    onError: (error: unknown) => void,
  ) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#checkpointer = checkpointer;
    this.#onError = onError;
  }

  /** Call when a batch has deleted what nobody may read again, or after a crash, which may have come after one. */
  afterDeletion(): void {
    this.#isDue = true;
    this.#timer ??= setTimeout(() => this.#begin(), ERASE_AFTER_MS);
  }

  /** Before the database is closed: erases what is still to be erased, if that is done soon. */
  finish(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deadline = performance.now() + CLOSING_MS;
    try {
      while (!this.#clearSome() && performance.now() < deadline);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Once the database is closed. */
  close(): void {
    this.#slack?.close();
  }

  #begin(): void {
    this.#isDue = false;
    this.#step();
  }

  #step(): void {
    try {
      if (this.#clearSome())
        this.#timer = this.#isDue ? setTimeout(() => this.#begin(), ERASE_AFTER_MS) : undefined;
      else this.#timer = setTimeout(() => this.#step(), this.#pauseMs);
    } catch (error) {
      this.#timer = undefined;
      this.#onError(error);
    }
  }

  /** True at the end of a pass over the whole file. */
  #clearSome(): boolean {
    if (!this.#checkpointer.empty()) {
      this.#pauseMs = this.#busyMs;
      this.#busyMs = Math.min(2 * this.#busyMs, BUSY.maxMs);
      return false;
    }
    this.#pauseMs = PAUSE_MS;
    this.#busyMs = BUSY.firstMs;
    // The pages in memory are given back: they would be written with what is cleared now.
    this.#sqlite.exec('PRAGMA shrink_memory');
    this.#slack ??= new Slack(this.#file, Number(pragma(this.#sqlite, 'page_size')));
    return this.#slack.clearSome();
  }
}
