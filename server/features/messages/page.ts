/** What pages of messages have in common: how many fit, how they are written, and the messages that they quote. */
import type { Message } from '../../../protocol/events.ts';
import { PAGE_MAX_CHARACTERS } from '../../../protocol/limits.ts';
import type { MessageRow, Store } from '../../data/storage/store.ts';
import { largeTurns } from '../../platform/limits/large-turns.ts';
import { messageJson, quotedId } from '../../rules/message.ts';

/** Rows with more text than this take turns with other large answers. */
const LARGE_FROM_CHARACTERS = 64 * 1024;
/** So much of their JSON is written in a turn. */
const SLICE_CHARACTERS = 256 * 1024;

/** The rows of a page, and each of them as JSON. */
export interface Written<Row> {
  rows: Row[];
  json: string[];
}

/** How rows are written. */
interface Writing<Row> {
  /** About the characters of the row, where they are not JSON yet. */
  lengthOf(row: Row): number;
  /** The row as JSON. */
  write(row: Row): string;
}

interface Fit {
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

/** Rows that are messages. */
export const MESSAGES: Writing<MessageRow> = { lengthOf: textLength, write: messageJson };

/** Writes rows that have a message each, which comes first, and the fields of `rest`. */
export function withMessage<Row extends { message: MessageRow }>(
  rest: (row: Row) => object,
  name = 'message',
): Writing<Row> {
  return {
    lengthOf: ({ message }) => textLength(message),
    write: (row) => `{"${name}":${messageJson(row.message)},${JSON.stringify(rest(row)).slice(1)}`,
  };
}

/** `writeFitting` of messages. */
export function writeMessages(rows: readonly MessageRow[], fit?: Fit): Promise<Written<MessageRow>> {
  return writeFitting(rows, MESSAGES, fit);
}

/** What a message has of text in the database. */
function textLength({ content, notice, facts }: MessageRow): number {
  return content.length + (notice ?? facts?.extra ?? '').length;
}

/** JSON of this type. */
export type Json<T> = string & { readonly of?: T };

/** A list as it is sent: as much of it as fits, and whether there is more than that. */
export async function listJson<Page extends { has_more: boolean }, Row>(
  name: keyof Page & string,
  rows: readonly Row[],
  writing: Writing<Row>,
  hasMore = false,
): Promise<Json<Page>> {
  const { json } = await writeFitting(rows, writing);
  return `{"${name}":[${json.join()}],"has_more":${hasMore || json.length < rows.length}}`;
}

/** A row's place in a list whose latest come first: its time, and its id where times are equal. */
export interface PlaceInTime {
  id: number;
  time: number;
}

/** Whether the row of this time comes after the place. Without a place, every row does. */
export function isBefore(row: { id: number }, time: number, place: PlaceInTime | undefined): boolean {
  return place === undefined || time < place.time || (time === place.time && row.id < place.id);
}

/** A page whose messages are written already. */
type OfJson<Page> = Omit<Page, 'messages' | 'quoted'> & { messages: string[]; quoted?: string[] };

/** A page as it is sent. */
export function pageJson<Page extends { messages: Message[]; quoted?: Message[] | undefined }>({
  messages,
  quoted,
  ...rest
}: OfJson<Page>): Json<Page> {
  const quotes = quoted ? `"quoted":[${quoted.join()}],` : '';
  return `{"messages":[${messages.join()}],${quotes}${JSON.stringify(rest).slice(1)}`;
}

/**
 * The messages that these quote and do not contain, as they are now: a deleted one is its tombstone. An empty object
 * when there are none. A client reads one that does not fit by its id.
 */
export async function quotedIn(
  store: Pick<Store, 'messagesById'>,
  roomId: number,
  messages: readonly MessageRow[],
): Promise<{ quoted?: string[] }> {
  const held = new Set(messages.map(({ id }) => id));
  const ids = new Set<number>();
  for (const message of messages) {
    const id = quotedId(message);
    if (id !== undefined && !held.has(id)) ids.add(id);
  }
  if (ids.size === 0) return {};
  const { json } = await writeMessages(await store.messagesById({ roomId, ids: [...ids] }));
  return { quoted: json };
}
