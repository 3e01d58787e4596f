/**
 * A log in order. The bus announces its numbers and the log has the rows: each row is delivered exactly once, ascending
 * and without a gap. Rooms and users have logs (docs/ARCHITECTURE.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { measures } from '../../../platform/metrics/measures.ts';
import { Ahead } from './ahead.ts';
import { NO_PATIENCE, type Patience } from './patience.ts';
import { SharedHead } from './shared-head.ts';

const RETRY_MS = 1000;
/** The pause before a row that was announced, but cannot be read yet, is read again: doubled up to `RETRY_MS`. */
const PAUSE_MS = 50;
/** How long a client that is ahead of this process waits for it. */
const REACH_MS = 2000;
const REACH_POLL_MS = 5;

export interface Page<Row> {
  /** Ascending. */
  rows: readonly Row[];
  /** Nothing is missing up to this number. Without it: up to the last row. */
  upTo?: number;
}

/** The row after `head` is missing since then. */
interface Missing {
  head: number;
  since: number;
}

export abstract class InOrder<Row> {
  readonly #patience: Patience;
  /** The number of the last row delivered; -1 until the log's head has been read. */
  #head = -1;
  /** The highest number that was announced. */
  #announced = 0;
  #isReading = false;
  /** Rows that came before those that they follow; null: none. */
  #ahead: Ahead<Row> | null = null;
  /** What is missing is read then, unless it has come by itself. */
  #wait: (Missing & { timer: NodeJS.Timeout; until: number }) | null = null;
  /** What was read because it was missing: it may still come. */
  #read: Missing | null = null;
  /** Made by the first client that may be ahead of this process. */
  #sharedHead: SharedHead | null = null;

  constructor(patience: Patience = NO_PATIENCE) {
    this.#patience = patience;
  }

  protected abstract numberOf(row: Row): number;
  /** The rows after this number, or the first of them. */
  protected abstract readAfter(number: number): Promise<Page<Row>>;
  /** Called for each row in order. `head` is its number by then, and `before` is what `head` was. */
  protected abstract deliver(row: Row, before: number): void;

  /** A page was delivered, and the head is at its end. */
  protected afterPage(): void {}

  /** About how many bytes a row takes that is kept until those before it have come. */
  protected sizeOf(_row: Row): number {
    return 0;
  }

  /** The number of the last row that was delivered; -1 before `startAt`. */
  get head(): number {
    return this.#head;
  }

  /** A row was announced and not delivered yet. */
  get isBehind(): boolean {
    return this.#announced > this.#head;
  }

  /** Rows up to `head` are history; those announced after it are read and delivered. */
  startAt(head: number): void {
    this.#head = head;
    if (this.#announced > head) this.#readMissing();
  }

  /** The next row in order is delivered. After a gap, or without the row, what is missing is waited for, then read. */
  announce(number: number, row?: Row): void {
    if (number > this.#announced) this.#announced = number;
    if (row !== undefined) this.#observe(number);
    if (this.#head < 0 || number <= this.#head) return;
    if (row !== undefined && number === this.#head + 1) {
      this.#push(row);
      if (this.#ahead !== null) this.#pushAhead(this.#ahead);
    } else {
      if (row !== undefined) this.#keep(number, row);
      this.#waitFor(row === undefined ? 'forRowMs' : 'forGapMs');
    }
  }

  /** The row with this number is in the log, and nobody will bring it: it is read at once. */
  announceUnheard(number: number): void {
    if (number > this.#announced) this.#announced = number;
    if (this.#head >= 0 && this.isBehind) this.#readMissing();
  }

  /**
   * For a client that has this number from another process, while its announcement may still be on its way. Resolves
   * once the number has been delivered here; once the log is found to end before it, as a client may claim anything; or
   * when the log cannot be read in time. Never rejects. `readHead`: the number of the last row in the log.
   */
  protected async deliverUpTo(number: number, readHead: () => Promise<number>): Promise<void> {
    const deadline = performance.now() + REACH_MS;
    this.#sharedHead ??= new SharedHead(readHead);
    const last = await this.#sharedHead.read().catch(() => this.#head);
    this.announceUnheard(last);
    const isComing = () => number <= last && number > this.#head;
    while (isComing() && performance.now() < deadline) await sleep(REACH_POLL_MS);
  }

  #push(row: Row): void {
    const before = this.#head;
    this.#head = this.numberOf(row);
    this.deliver(row, before);
  }

  #keep(number: number, row: Row): void {
    this.#ahead ??= new Ahead();
    this.#ahead.add(number, row, this.sizeOf(row));
  }

  /** Delivers what follows on the head by now. */
  #pushAhead(ahead: Ahead<Row>): void {
    for (let row = ahead.take(this.#head + 1); row !== undefined; row = ahead.take(this.#head + 1))
      this.#push(row);
    if (ahead.size === 0) this.#ahead = null;
  }

  /** The row with this number has come by itself: it says how long such rows take. */
  #observe(number: number): void {
    const wasRead = number - 1 === this.#read?.head;
    const missing = wasRead ? this.#read : this.#wait;
    if (missing?.head !== number - 1) return;
    this.#patience.observe(performance.now() - missing.since);
    if (wasRead) this.#read = null;
  }

  #waitFor(which: 'forGapMs' | 'forRowMs'): void {
    if (this.#isReading) return;
    const ms = this.#patience[which];
    if (ms === 0) return this.#readMissing();
    const since = performance.now();
    const until = since + ms;
    if (this.#wait && this.#wait.until <= until) return;
    if (this.#wait) clearTimeout(this.#wait.timer);
    // After a pause of this process the timer fires before what has arrived meanwhile is received.
    const timer = setTimeout(() => setImmediate(() => this.#waited(timer, which)), ms).unref();
    this.#wait = { timer, until, since, head: this.#head };
  }

  #waited(timer: NodeJS.Timeout, which: 'forGapMs' | 'forRowMs'): void {
    // It was replaced by a shorter wait, or by a read.
    if (this.#wait?.timer !== timer) return;
    const { head, since } = this.#wait;
    this.#wait = null;
    if (!this.isBehind) return;
    // What was missing then has come. Something else is missing now, since a shorter time.
    if (head < this.#head) return this.#waitFor(which);
    this.#read = { head, since };
    this.#readMissing();
  }

  #readMissing(): void {
    if (this.#wait) clearTimeout(this.#wait.timer);
    this.#wait = null;
    if (!this.#isReading) void this.#catchUp();
  }

  /** What is announced meanwhile is delivered as it comes, or kept. */
  async #catchUp(): Promise<void> {
    this.#isReading = true;
    measures.gapReads++;
    let pause = PAUSE_MS;
    while (this.#announced > this.#head) {
      try {
        const before = this.#head;
        const { rows, upTo = before } = await this.readAfter(before);
        for (const row of rows) if (this.numberOf(row) > this.#head) this.#push(row);
        this.#head = Math.max(this.#head, upTo);
        this.afterPage();
        if (this.#ahead !== null) {
          this.#ahead.forgetUpTo(this.#head);
          this.#pushAhead(this.#ahead);
        }
        if (this.#head > before) pause = PAUSE_MS;
        else {
          await sleep(pause);
          pause = Math.min(2 * pause, RETRY_MS);
        }
      } catch {
        await sleep(RETRY_MS);
      }
    }
    this.#isReading = false;
  }
}
