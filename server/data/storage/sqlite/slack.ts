/**
 * Clears what SQLite leaves behind in the unused part of its pages. `secure_delete` overwrites a row that is deleted,
 * but not the copies that were made of it when pages were split or joined before: those lie between the page's list of
 * rows and its first row, where nothing reads them (SQLite file format, §1.6). Zeros there change nothing for anybody.
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
/** A file that can be shortened has pages which list where others are referred to (§1.8): 5 bytes for each page. */
const MAP_ENTRY_BYTES = 5;
/** In the header: not 0 in such a file. */
const LARGEST_ROOT_AT = 52;
/** The page with this byte is for locks. */
const PENDING_BYTE = 2 ** 30;

export class Slack {
  /** It stays open until `close`: the first close of any descriptor ends the locks that SQLite holds on the file. */
  readonly #file: number;
  readonly #pageBytes: number;
  /** Whether the file has maps. */
  readonly #hasMaps: boolean;
  /** The next page of the pass under way, counted from 0. */
  #next = 0;

  constructor(file: string, pageBytes: number) {
    this.#file = openSync(file, 'r+');
    this.#pageBytes = pageBytes;
    const header = Buffer.alloc(FILE_HEADER_BYTES);
    readSync(this.#file, header, 0, header.length, 0);
    this.#hasMaps = header.readUInt32BE(LARGEST_ROOT_AT) !== 0;
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
    if (this.#hasMaps && isMap(number + 1, this.#pageBytes)) return;
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

/** Whether a page, counted from 1, is a map. The first is page 2; each is followed by the pages that it is about. */
export function isMap(page: number, pageBytes: number): boolean {
  if (page < 2) return false;
  const group = Math.floor(pageBytes / MAP_ENTRY_BYTES) + 1;
  const map = Math.floor((page - 2) / group) * group + 2;
  return page === (map === PENDING_BYTE / pageBytes + 1 ? map + 1 : map);
}
