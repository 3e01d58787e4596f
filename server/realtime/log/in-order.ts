/**
 * A log in order. The bus announces its numbers and the log has the rows: each row is delivered exactly once, ascending
 * and without a gap. Rooms and users have logs (docs/ARCHITECTURE.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 1000;
/** The pause before a row that was announced, but cannot be read yet, is read again. */
const PAUSE_MS = 50;

export interface Page<Row> {
  /** Ascending. */
  rows: readonly Row[];
  /** Nothing is missing up to this number. Without it: up to the last row. */
  upTo?: number;
}

export abstract class InOrder<Row> {
  /** The number of the last row delivered; -1 until the log's head has been read. */
  #head = -1;
  /** The highest number that was announced. */
  #announced = 0;
  #isCatchingUp = false;

  protected abstract numberOf(row: Row): number;
  /** The rows after this number, or the first of them. */
  protected abstract readAfter(number: number): Promise<Page<Row>>;
  /** Called for each row in order. `head` is its number by then, and `before` is what `head` was. */
  protected abstract deliver(row: Row, before: number): void;

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
    if (this.#announced > head) void this.#catchUp();
  }

  /** The next row in order is delivered; after a gap, or without the row, the missing ones are read first. */
  announce(number: number, row?: Row): void {
    if (number > this.#announced) this.#announced = number;
    if (this.#head < 0 || this.#isCatchingUp || number <= this.#head) return;
    if (row !== undefined && number === this.#head + 1) this.#push(row);
    else void this.#catchUp();
  }

  #push(row: Row): void {
    const before = this.#head;
    this.#head = this.numberOf(row);
    this.deliver(row, before);
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    while (this.#announced > this.#head) {
      try {
        const before = this.#head;
        const { rows, upTo = before } = await this.readAfter(before);
        for (const row of rows) this.#push(row);
        this.#head = Math.max(this.#head, upTo);
        if (this.#head === before) await sleep(PAUSE_MS);
      } catch {
        await sleep(RETRY_MS);
      }
    }
    this.#isCatchingUp = false;
  }
}
