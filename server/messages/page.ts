/** What pages of messages have in common: how many fit, how they are written, and the messages that they quote. */
import type { Message } from '../../protocol/events.ts';
import { PAGE_MAX_CHARACTERS } from '../../protocol/limits.ts';
import { largeTurns } from '../limits/large-turns.ts';
import type { MessageRow, Store } from '../storage/store.ts';
import { messageJson, quotedId } from './message.ts';

/** Rows with more text than this are written in a turn of their own. */
const LARGE_FROM_CHARACTERS = 64 * 1024;

/** The rows of a page, and each of them as JSON. */
export interface Written<Row> {
  rows: Row[];
  json: string[];
}

/** How rows are written. */
interface Writing<Row> {
  /** The message that most of the row is. */
  messageOf(row: Row): MessageRow;
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
  { messageOf, write }: Writing<Row>,
  { limit = rows.length, isForward = true, maxCharacters = PAGE_MAX_CHARACTERS }: Fit = {},
): Promise<Written<Row>> {
  const text = rows.reduce((sum, row) => sum + lengthOf(messageOf(row)), 0);
  if (text >= LARGE_FROM_CHARACTERS) await largeTurns.next();
  const written: Written<Row> = { rows: [], json: [] };
  let characters = 0;
  for (const row of isForward ? rows : [...rows].reverse()) {
    if (written.rows.length === limit) break;
    const json = write(row);
    characters += json.length + 1;
    if (written.rows.length > 0 && characters > maxCharacters) break;
    written.rows.push(row);
    written.json.push(json);
  }
  if (isForward) return written;
  return { rows: written.rows.reverse(), json: written.json.reverse() };
}

const PLAIN: Writing<MessageRow> = { messageOf: (row) => row, write: messageJson };

/** `writeFitting` of messages. */
export function writeMessages(rows: readonly MessageRow[], fit?: Fit): Promise<Written<MessageRow>> {
  return writeFitting(rows, PLAIN, fit);
}

/** What a row has of text in the database, where it is not JSON yet. */
function lengthOf({ content, notice, facts }: MessageRow): number {
  return content.length + (notice ?? facts?.extra ?? '').length;
}

/** JSON of this type. */
export type Json<T> = string & { readonly of?: T };

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
 * The messages that these quote and do not contain, as they are now: a deleted one is its tombstone. An empty object when
 * there are none. A client reads one that does not fit by its id.
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
