/**
 * Rows of a log that have come before those that they follow. It is bounded: what does not fit is read from the log.
 */

const ROWS_MAX = 256;
const BYTES_MAX = 1024 * 1024;

export class Ahead<Row> {
  readonly #rows = new Map<number, { row: Row; bytes: number }>();
  #bytes = 0;

  get size(): number {
    return this.#rows.size;
  }

  add(number: number, row: Row, bytes: number): void {
    if (this.#rows.size >= ROWS_MAX || this.#bytes + bytes > BYTES_MAX || this.#rows.has(number)) return;
    this.#rows.set(number, { row, bytes });
    this.#bytes += bytes;
  }

  /** The row with this number, which is kept no longer. */
  take(number: number): Row | undefined {
    const kept = this.#rows.get(number);
    if (kept) this.#drop(number, kept.bytes);
    return kept?.row;
  }

  forgetUpTo(head: number): void {
    for (const [number, { bytes }] of this.#rows) if (number <= head) this.#drop(number, bytes);
  }

  #drop(number: number, bytes: number): void {
    this.#rows.delete(number);
    this.#bytes -= bytes;
  }
}
