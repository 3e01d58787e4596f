/**
 * Gives the disk back what deleted texts have taken. It works in steps, between which others write:
 *
 * 1. What is left of a deleted text is a small row, in a page that is nearly empty then. SQLite joins such a page with
 *    its neighbours when a row is deleted from it, and not when a row becomes smaller. So some of these rows are deleted
 *    and inserted as they were.
 * 2. Pages from the end of the file move to free places. The next checkpoint makes the file shorter.
 *
 * Step 2 needs `auto_vacuum`, which new files have, and others get from `roomful compact`.
 */
import { pragma, transaction } from './database.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';

/** In one step: ids of messages, and pages. Its commit takes about as long as that of a batch of messages. */
const STEP_IDS = 500;
const STEP_PAGES = 64;
/** One row in this many is deleted and inserted again: every page has some of them. */
const ONE_IN = 4;
const PAUSE_MS = 20;
/** Rows are rewritten once this many texts were deleted for being old, and none has been for a while. */
const BEGIN_TEXTS = 1000;
const QUIET_MS = 2000;
/** Pages are given back when this much of the file is free: what is free is filled again by new messages otherwise. */
const BEGIN = { share: 0.1, pages: 1024 };
const KEEP_PAGES = 256;
const INCREMENTAL = 2;

export interface CompactorParts {
  /** Call after each commit. */
  afterStep(): void;
  /** For the log. */
  onProgress(message: string): void;
  onError(error: unknown): void;
}

export class Compactor {
  readonly #sqlite: Sqlite;
  readonly #parts: CompactorParts;
  readonly #isPossible: boolean;
  #timer: NodeJS.Timeout | undefined;
  /** Steps follow each other. A deletion meanwhile does not put off the next one. */
  #isAtWork = false;
  /** The ids that the pass has yet to come to. After an error it goes on from there. */
  #pass: { next: number; to: number } | undefined;
  /**
   * The messages that were deleted since the pass began: how many, and between which ids. The next pass is for them.
   */
  #texts = 0;
  #from = Number.POSITIVE_INFINITY;
  #to = 0;
  #begunWith = 0;

  constructor(sqlite: Sqlite, parts: CompactorParts) {
    this.#sqlite = sqlite;
    this.#parts = parts;
    this.#isPossible = pragma(sqlite, 'auto_vacuum') === INCREMENTAL;
    // The rows that move are kept in memory meanwhile.
    if (this.#isPossible)
      sqlite.exec(
        'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE moved_messages AS SELECT * FROM messages LIMIT 0',
      );
  }

  /** Call after a batch that has deleted something; `pruned`: the ids of texts that were deleted for being old. */
  afterDeletion(pruned: readonly number[] = []): void {
    if (!this.#isPossible) return;
    for (const id of pruned) {
      this.#from = Math.min(this.#from, id);
      this.#to = Math.max(this.#to, id);
    }
    this.#texts += pruned.length;
    const isSetAlready = this.#timer !== undefined && pruned.length === 0;
    if (!this.#isAtWork && !isSetAlready) this.#later(QUIET_MS, () => this.#begin());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    this.#isAtWork = true;
    if (!this.#pass && this.#texts >= BEGIN_TEXTS) {
      this.#pass = { next: this.#from, to: this.#to };
      this.#texts = 0;
      this.#from = Number.POSITIVE_INFINITY;
      this.#to = 0;
    }
    if (this.#pass) this.#rewrite(this.#pass);
    else this.#beginToGiveBack();
  }

  #rewrite(pass: { next: number; to: number }): void {
    const from = this.#firstId(pass.next);
    if (from === undefined || from > pass.to) {
      this.#pass = undefined;
      return this.#beginToGiveBack();
    }
    transaction(this.#sqlite, () =>
      this.#sqlite.exec(`
        INSERT INTO moved_messages SELECT * FROM messages
          WHERE id BETWEEN ${from} AND ${from + STEP_IDS - 1} AND deleted_at IS NOT NULL AND id % ${ONE_IN} = 0;
        DELETE FROM messages WHERE id IN (SELECT id FROM moved_messages);
        INSERT INTO messages SELECT * FROM moved_messages ORDER BY id;
        DELETE FROM moved_messages`),
    );
    pass.next = from + STEP_IDS;
    this.#parts.afterStep();
    this.#later(PAUSE_MS, () => this.#rewrite(pass));
  }

  /** After a restore the ids go on far above the last ones: a step for each 500 of the gap would take hours. */
  #firstId(from: number): number | undefined {
    return this.#sqlite
      .prepare<[number], { id: number }>('SELECT id FROM messages WHERE id >= ? ORDER BY id LIMIT 1')
      .get(from)?.id;
  }

  #beginToGiveBack(): void {
    const { free, all } = this.#pages();
    if (free < BEGIN.pages || free < BEGIN.share * all) return this.#end();
    this.#begunWith = all;
    this.#parts.onProgress(`${mib(free)} MiB of the database are free: they go back to the disk bit by bit`);
    this.#giveBack();
  }

  #giveBack(): void {
    const { free, all } = this.#pages();
    if (free <= KEEP_PAGES) {
      const given = mib(this.#begunWith - all);
      this.#parts.onProgress(`the database gave ${given} MiB back to the disk; it has ${mib(all)} MiB now`);
      return this.#end();
    }
    this.#sqlite.exec(`PRAGMA incremental_vacuum(${Math.min(STEP_PAGES, free - KEEP_PAGES)})`);
    this.#parts.afterStep();
    this.#later(PAUSE_MS, () => this.#giveBack());
  }

  #end(): void {
    this.#isAtWork = false;
    if (this.#texts >= BEGIN_TEXTS) this.#later(QUIET_MS, () => this.#begin());
  }

  #later(ms: number, step: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        step();
      } catch (error) {
        this.#isAtWork = false;
        // The next deletion begins it again, such as after a full disk.
        this.#parts.onProgress(`the database gives nothing back to the disk now: ${codeOf(error)}`);
        this.#parts.onError(error);
      }
    }, ms);
  }

  #pages(): { free: number; all: number } {
    const of = (name: string) => Number(pragma(this.#sqlite, name));
    return { free: of('freelist_count'), all: of('page_count') };
  }
}

/** The size of this many pages of 4 KiB. */
function mib(pages: number): number {
  return Math.round(pages / 256);
}
