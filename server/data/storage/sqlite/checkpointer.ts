/**
 * Moves the log into the database. It runs between batches, where its errors are seen and the whole log is free to
 * move. SQLite's automatic checkpoint runs inside a commit and hides its errors there.
 */
import { pragma } from './database.ts';
import type { Sqlite } from './driver/driver.ts';

/**
 * A checkpoint is due when the log has this many pages (4 KiB) that are not in the database, or after an idle second.
 */
const DUE_PAGES = 1000;
const DUE_WHEN_IDLE_MS = 1000;
/** A log of this many pages must start over. That is worth a wait for the reads that still need it. */
const START_OVER_PAGES = 8000;
const START_OVER_WAIT_MS = 250;
/**
 * Emptying the log is tried again and again, so each try waits for reads in progress only briefly: writes wait, too.
 */
const EMPTY_WAIT_MS = 20;
/** A log of this many pages (64 MiB) is reported, and again each time it has doubled. */
const WARN_PAGES = 16_384;

interface LogState {
  /** 1: a read in progress was in the way. */
  busy: 0 | 1;
  /** Pages in the log. */
  log: number;
  /** Pages of it that are already in the database. */
  checkpointed: number;
}

export class Checkpointer {
  readonly #sqlite: Sqlite;
  readonly #state;
  readonly #move;
  readonly #moveAndStartOver;
  readonly #moveAndCut;
  readonly #onError: (error: unknown) => void;
  readonly #onWarning: (message: string) => void;
  /** The log's pages at the last checkpoint, so that one that moved little is not tried again after every batch. */
  #triedAt = 0;
  #startOverAt = START_OVER_PAGES;
  #warnAt = WARN_PAGES;
  #idle: NodeJS.Timeout | undefined;

  /** `onError` gets what fails. What could not be moved stays in the log, and the next checkpoint moves it. */
  constructor(
    sqlite: Sqlite,
    { onError, onWarning }: { onError(error: unknown): void; onWarning(message: string): void },
  ) {
    this.#sqlite = sqlite;
    this.#state = sqlite.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
    this.#move = sqlite.prepare<[], LogState>('PRAGMA wal_checkpoint(PASSIVE)');
    this.#moveAndStartOver = sqlite.prepare<[], LogState>('PRAGMA wal_checkpoint(RESTART)');
    this.#moveAndCut = sqlite.prepare<[], LogState>('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#onError = onError;
    this.#onWarning = onWarning;
  }

  /** Call after every batch. */
  afterBatch(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#try(() => this.#checkpoint()), DUE_WHEN_IDLE_MS);
    this.#try(() => {
      if (this.#isDue()) this.#checkpoint();
    });
  }

  /**
   * Moves the whole log into the database and cuts it to nothing: until then it has what was deleted. False while a
   * read in progress is in the way.
   */
  empty(): boolean {
    let isEmpty = false;
    this.#try(() => {
      isEmpty = this.#waiting(EMPTY_WAIT_MS, this.#moveAndCut).busy === 0;
    });
    return isEmpty;
  }

  stop(): void {
    clearTimeout(this.#idle);
  }

  #isDue(): boolean {
    const { log } = this.#read(this.#state);
    if (log < this.#triedAt) this.#triedAt = 0;
    return log - this.#triedAt >= DUE_PAGES;
  }

  #checkpoint(): void {
    this.#triedAt = this.#read(this.#state).log;
    const { log } = this.#read(this.#move);
    if (log < this.#startOverAt) return;
    // A writer starts the log over only when no read needs it, so with reads that never pause it would grow forever.
    const busy = this.#waiting(START_OVER_WAIT_MS, this.#moveAndStartOver).busy === 1;
    this.#startOverAt = busy ? log + START_OVER_PAGES : START_OVER_PAGES;
    if (busy) this.#warnOfSize(log);
    else this.#warnAt = WARN_PAGES;
  }

  /** Our own reads are short, so when the log keeps growing, another program is reading. */
  #warnOfSize(pages: number): void {
    if (pages < this.#warnAt) return;
    this.#warnAt = pages * 2;
    this.#onWarning(
      `the write-ahead log has grown to ${Math.round(pages / 256)} MiB, because another program keeps reading ` +
        'the database; end it',
    );
  }

  /** Runs a checkpoint that waits this long for reads in progress. */
  #waiting(waitMs: number, statement: { get(): LogState | undefined }): LogState {
    const timeoutMs = pragma(this.#sqlite, 'busy_timeout');
    this.#sqlite.exec(`PRAGMA busy_timeout = ${waitMs}`);
    try {
      return this.#read(statement);
    } finally {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
    }
  }

  #read(statement: { get(): LogState | undefined }): LogState {
    return statement.get() ?? { busy: 0, log: 0, checkpointed: 0 };
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#onError(error);
    }
  }
}
