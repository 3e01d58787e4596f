/** Reading a room's messages, page by page. */
import { AppError } from '../../protocol/errors.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import { permit } from '../rooms/permit.ts';
import type { HistoryQuery, MessageRow, Store } from '../storage/store.ts';
import { toMessage } from './message.ts';

/** Text and notices as JSON in one page: enough for 200 messages of 4000 letters, not for 200 of 4000 control characters. */
const PAGE_MAX_CHARACTERS = 1024 * 1024;
/** JSON writes a control character as six characters, such as `\u0000`, and no character as more. */
const MAX_ESCAPED_LENGTH = 6;

export class History {
  readonly #store: Store;
  readonly #epoch: string;
  readonly #now: () => number;

  /** `epoch`: identifies the database's history. `now`: Unix milliseconds. */
  constructor(store: Store, epoch: string, now: () => number = Date.now) {
    this.#store = store;
    this.#epoch = epoch;
    this.#now = now;
  }

  /**
   * A page, ascending, for this reader. Throws `AppError` `room_not_found`. Access is asked for together with the page:
   * the two reads cost one trip to the database, and a room that is hidden costs what one that is not there does. The
   * page is read first: a page that was read before a removal has nothing that came after it.
   */
  async page(query: HistoryQuery, userId: number): Promise<HistoryPage> {
    const [found] = await Promise.all([
      // One row more than requested shows whether there are more.
      this.#store.history({ ...query, limit: query.limit + 1 }),
      permit(this.#store, 'read', { roomId: query.roomId, userId }, this.#now()),
    ]);
    if (!found) throw new AppError('room_not_found');
    const { rows, seq } = found;
    // What does not fit is cut off at the end that is farther from the reader's position.
    const isForward = query.afterId !== undefined;
    const count = countFitting(rows, query.limit, isForward);
    const page = isForward ? rows.slice(0, count) : rows.slice(rows.length - count);
    return { messages: page.map(toMessage), has_more: count < rows.length, epoch: this.#epoch, seq };
  }
}

/** How many rows, counted from the reader's end, fit into a page; at least one, if there is one. */
function countFitting(rows: readonly MessageRow[], limit: number, isForward: boolean): number {
  const max = Math.min(limit, rows.length);
  // Nearly every page is this short. Only a longer one is worth measuring exactly.
  const mostCharacters = rows.reduce(
    (sum, { content, notice }) => sum + content.length * MAX_ESCAPED_LENGTH + 2 + (notice?.length ?? 0),
    0,
  );
  if (mostCharacters <= PAGE_MAX_CHARACTERS) return max;
  let characters = 0;
  for (let count = 0; count < max; count++) {
    const row = rows.at(isForward ? count : -1 - count);
    // A notice is JSON already.
    characters += JSON.stringify(row?.content).length + (row?.notice?.length ?? 0);
    if (count > 0 && characters > PAGE_MAX_CHARACTERS) return count;
  }
  return max;
}
