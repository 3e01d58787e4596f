/** What pages of messages have in common: how many fit, and the messages that they quote. */
import type { Message } from '../../protocol/events.ts';
import type { MessageRow, Store } from '../storage/store.ts';
import { messageJson, quotedId } from './message.ts';

/** Text and notices as JSON in one page: enough for 200 messages of 4000 letters, not for 200 of 4000 control characters. */
export const PAGE_MAX_CHARACTERS = 1024 * 1024;
/** JSON writes a control character as six characters, such as `\u0000`, and no character as more. */
const MAX_ESCAPED_LENGTH = 6;

/** How many rows, counted from the reader's end, fit into a page; at least one, if there is one. */
export function countFitting(
  rows: readonly MessageRow[],
  limit: number,
  { isForward, maxCharacters }: { isForward: boolean; maxCharacters: number },
): number {
  const max = Math.min(limit, rows.length);
  // Nearly every page is this short. Only a longer one is worth measuring exactly.
  const mostCharacters = rows.reduce(
    (sum, row) => sum + row.content.length * MAX_ESCAPED_LENGTH + 2 + jsonOf(row).length,
    0,
  );
  if (mostCharacters <= maxCharacters) return max;
  let characters = 0;
  for (let count = 0; count < max; count++) {
    const row = rows.at(isForward ? count : -1 - count);
    if (row) characters += JSON.stringify(row.content).length + jsonOf(row).length;
    if (count > 0 && characters > maxCharacters) return count;
  }
  return max;
}

/** What is stored as JSON already. */
function jsonOf({ notice, facts }: MessageRow): string {
  return notice ?? facts?.extra ?? '';
}

/** JSON of this type. */
export type Json<T> = string & { readonly of?: T };

/** A page whose messages are rows yet. */
type OfRows<Page> = Omit<Page, 'messages' | 'quoted'> & { messages: MessageRow[]; quoted?: MessageRow[] };

/** A page as it is sent. */
export function pageJson<Page extends { messages: Message[]; quoted?: Message[] | undefined }>({
  messages,
  quoted,
  ...rest
}: OfRows<Page>): Json<Page> {
  const quotes = quoted ? `"quoted":[${quoted.map(messageJson).join()}],` : '';
  return `{"messages":[${messages.map(messageJson).join()}],${quotes}${JSON.stringify(rest).slice(1)}`;
}

/**
 * The messages that these quote and do not contain, as they are now: a deleted one is its tombstone. An empty object when
 * there are none.
 */
export async function quotedIn(
  store: Pick<Store, 'messagesById'>,
  roomId: number,
  messages: readonly MessageRow[],
): Promise<{ quoted?: MessageRow[] }> {
  const held = new Set(messages.map(({ id }) => id));
  const ids = new Set<number>();
  for (const message of messages) {
    const id = quotedId(message);
    if (id !== undefined && !held.has(id)) ids.add(id);
  }
  if (ids.size === 0) return {};
  const rows = await store.messagesById({ roomId, ids: [...ids] });
  const quoted: MessageRow[] = [];
  let characters = 0;
  for (const row of rows) {
    characters += JSON.stringify(row.content).length + jsonOf(row).length;
    // A client reads one that does not fit by its id.
    if (characters > PAGE_MAX_CHARACTERS) break;
    quoted.push(row);
  }
  return { quoted };
}
