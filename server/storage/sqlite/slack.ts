/**
 * Clears what SQLite leaves behind in the unused part of its pages. `secure_delete` overwrites a row that is deleted, but
 * not the copies that were made of it when pages were split or joined before: those lie between the page's list of rows
 * and its first row, where nothing reads them (SQLite file format, §1.6). Zeros there change nothing for anybody.
 *
 * Only the thread that writes and checkpoints may do this, with an empty log and without pages of its own in memory: it
 * would write its copies back later.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** Pages in one step, about 1 MiB. */
const STEP_PAGES = 256;
/** By the first byte of a page: how long its header is. Pages of other kinds have no rows. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
const FILE_HEADER_BYTES = 100;
/** Beyond this, the first byte of a page of text may be taken for a kind: 64 GiB. */
const MAX_PAGES = 0xffffff;

export class Slack {
  /** It stays open until `close`: the first close of any descriptor ends the locks that SQLite holds on the file. */
  readonly #file: number;
  readonly #pageBytes: number;
  /** The next page of the pass under way, counted from 0. */
  #next = 0;

  constructor(file: string, pageBytes: number) {
    this.#file = openSync(file, 'r+');
    this.#pageBytes = pageBytes;
  }

  /** Clears the next pages of the file. True at the end of the file, when all of it is on the disk. */
  clearSome(): boolean {
    const bytes = Buffer.allocUnsafe(STEP_PAGES * this.#pageBytes);
    const length = readSync(this.#file, bytes, 0, bytes.length, this.#next * this.#pageBytes);
    const pages = Math.floor(length / this.#pageBytes);
    for (let page = 0; page < pages && this.#next + page < MAX_PAGES; page++) this.#clear(bytes, page);
    this.#next += pages;
    const isOver = this.#next * this.#pageBytes >= fstatSync(this.#file).size || pages === 0;
    if (isOver) {
      this.#next = 0;
      fdatasyncSync(this.#file);
    }
    return isOver;
  }

  /** Not before the database is closed. */
  close(): void {
    closeSync(this.#file);
  }

  #clear(bytes: Buffer, page: number): void {
    const start = page * this.#pageBytes;
    const number = this.#next + page;
    const header = start + (number === 0 ? FILE_HEADER_BYTES : 0);
    const headerBytes = HEADER_BYTES[bytes[header] ?? 0];
    if (headerBytes === undefined) return;
    const rows = bytes.readUInt16BE(header + 3);
    // Zero stands for 65 536.
    const firstRow = start + (bytes.readUInt16BE(header + 5) || 65_536);
    const from = header + headerBytes + 2 * rows;
    if (from >= firstRow || firstRow > start + this.#pageBytes) return;
    const unused = bytes.subarray(from, firstRow);
    if (unused.every((byte) => byte === 0)) return;
    unused.fill(0);
    writeSync(this.#file, unused, 0, unused.length, number * this.#pageBytes + (from - start));
  }
}
