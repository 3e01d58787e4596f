/** Reading a room's messages, page by page. */
import { AppError } from '../../protocol/errors.ts';
import type { HistoryPage } from '../../protocol/rest.ts';
import type { HistoryQuery, MessageRow, Store } from '../storage/store.ts';
import { toMessage } from './message.ts';

/** Text as JSON in one page: enough for 200 messages of 4000 letters, not for 200 of 4000 control characters. */
const PAGE_MAX_CHARACTERS = 1024 * 1024;

export class History {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A page, ascending. Throws `AppError` `room_not_found`. */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    // One row more than requested shows whether there are more.
    const [room, rows] = await Promise.all([
      this.#store.findRoom(query.roomId),
      this.#store.history({ ...query, limit: query.limit + 1 }),
    ]);
    if (!room) throw new AppError('room_not_found');
    // What does not fit is cut off at the end that is farther from the reader's position.
    const isForward = query.afterId !== undefined;
    const count = fitting(isForward ? rows : rows.toReversed(), query.limit);
    const page = isForward ? rows.slice(0, count) : rows.slice(rows.length - count);
    return { messages: page.map(toMessage), has_more: count < rows.length };
  }
}

/** How many of the first rows fit into a page; at least one, if there is one. */
function fitting(rows: readonly MessageRow[], limit: number): number {
  let characters = 0;
  const end = rows.findIndex(({ content }, index) => {
    characters += JSON.stringify(content).length;
    return index >= limit || (index > 0 && characters > PAGE_MAX_CHARACTERS);
  });
  return end < 0 ? rows.length : end;
}
