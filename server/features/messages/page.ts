/** What pages of messages have in common: how they are written, and the messages that they quote. */
import type { Message } from '../../../protocol/events.ts';
import type { MessageRow, Store } from '../../data/storage/store.ts';
import {
  type Fit,
  type Json,
  jsonBytes,
  type Writing,
  type Written,
  writeFitting,
} from '../../platform/written-list.ts';
import { messageJson, quotedId } from '../../rules/message.ts';

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
  return jsonBytes('{"messages":[', messages, `],${quotes}${JSON.stringify(rest).slice(1)}`);
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
