/** Lists that are sent as JSON: how many of their rows fit, and how they are written without holding up the event loop. */
import { PAGE_MAX_CHARACTERS } from '../../protocol/limits.ts';
import { largeTurns } from './limits/large-turns.ts';

/** Rows with more text than this take turns with other large answers. */
const LARGE_FROM_CHARACTERS = 64 * 1024;
/** So much of their JSON is written in a turn. */
const SLICE_CHARACTERS = 256 * 1024;
/** Rows are put together to pieces of about this length before they become bytes. */
const PIECE_CHARACTERS = 16 * 1024;

/** The rows of a page, and each of them as JSON. */
export interface Written<Row> {
  rows: Row[];
  json: string[];
}

/** How a row is written. */
export interface Writing<Row> {
  /** About the characters of the row, where they are not JSON yet. */
  lengthOf(row: Row): number;
  /** The row as JSON. */
  write(row: Row): string;
}

export interface Fit {
  /** By default all rows. */
  limit?: number;
  /** From the first row on, or from the last one back. */
  isForward?: boolean;
  maxCharacters?: number;
}

/** Writes as many rows, counted from the reader's end, as fit into a page; at least one, if there is one. */
export async function writeFitting<Row>(
  rows: readonly Row[],
  { lengthOf, write }: Writing<Row>,
  { limit = rows.length, isForward = true, maxCharacters = PAGE_MAX_CHARACTERS }: Fit = {},
): Promise<Written<Row>> {
  const text = rows.reduce((sum, row) => sum + lengthOf(row), 0);
  if (text >= LARGE_FROM_CHARACTERS) await largeTurns.next();
  const written: Written<Row> = { rows: [], json: [] };
  let characters = 0;
  let nextTurnAt = SLICE_CHARACTERS;
  for (const row of isForward ? rows : [...rows].reverse()) {
    if (written.rows.length === limit) break;
    if (characters >= nextTurnAt) {
      await largeTurns.next();
      nextTurnAt = characters + SLICE_CHARACTERS;
    }
    const json = write(row);
    characters += json.length + 1;
    if (written.rows.length > 0 && characters > maxCharacters) break;
    written.rows.push(row);
    written.json.push(json);
  }
  if (isForward) return written;
  return { rows: written.rows.reverse(), json: written.json.reverse() };
}

/** JSON of this type, in UTF-8. */
export type Json<T> = Buffer & { readonly of?: T };

/**
 * `start`, the items with commas between them, and `end`. They never become one string: V8 keeps each string of more
 * than 128 KiB on pages of its own, which are new each time, and a response that is a string is copied twice more.
 */
export function jsonBytes<T>(start: string, items: readonly string[], end: string): Json<T> {
  const pieces: string[] = [];
  let piece = start;
  for (let index = 0; index < items.length; index++) {
    if (piece.length >= PIECE_CHARACTERS) {
      pieces.push(piece);
      piece = '';
    }
    piece += index === 0 ? items[index] : `,${items[index]}`;
  }
  pieces.push(piece + end);
  const size = pieces.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const text of pieces) at += bytes.write(text, at);
  return bytes;
}

/** A list as it is sent: as much of it as fits, and whether there is more than that. */
export async function listJson<Page extends { has_more: boolean }, Row>(
  name: keyof Page & string,
  rows: readonly Row[],
  writing: Writing<Row>,
  hasMore = false,
): Promise<Json<Page>> {
  const { json } = await writeFitting(rows, writing);
  return jsonBytes(`{"${name}":[`, json, `],"has_more":${hasMore || json.length < rows.length}}`);
}
