/** Reading a room's messages, page by page. */
import { AppError } from '../../../protocol/errors.ts';
import { PAGE_MAX_CHARACTERS } from '../../../protocol/limits.ts';
import type { FlowPage, HistoryPage } from '../../../protocol/rest/messages.ts';
import type { AroundQuery, HistoryQuery, Store } from '../../data/storage/store.ts';
import type { Json } from '../../platform/written-list.ts';
import { pageJson, quotedIn, writeMessages } from './page.ts';

type PageQuery = Omit<HistoryQuery, 'withNotices' | 'reader'>;

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
   * A page of texts, ascending, for this reader. Throws `AppError` `room_not_found`. The database judges in the same
   * trip and snapshot, before it reads the page: a room that is hidden takes the time of one that is not there, and a
   * page has nothing that came after a removal.
   */
  async page(query: PageQuery, userId: number): Promise<Json<HistoryPage>> {
    const { json: messages, hasMore, seq } = await this.#read(query, userId);
    return pageJson<HistoryPage>({ messages, has_more: hasMore, epoch: this.#epoch, seq });
  }

  /** The same of texts and notices, without the replies of threads. */
  async flow(query: PageQuery, userId: number): Promise<Json<FlowPage>> {
    const page = await this.#read({ withNotices: true, ...query }, userId);
    const { rows, json: messages, hasMore, hasBeyond, seq } = page;
    const isForward = query.afterId !== undefined;
    return pageJson<FlowPage>({
      messages,
      ...(await quotedIn(this.#store, query.roomId, rows)),
      has_more: isForward ? hasBeyond : hasMore,
      has_more_after: isForward ? hasMore : hasBeyond,
      epoch: this.#epoch,
      seq,
    });
  }

  /**
   * A page of texts and notices around a place, half of it before the place. Throws `AppError` `room_not_found` or,
   * where the place is a message, `message_not_found`. A reply in a thread is not of the flow: the page is around its
   * root, and `target` names both.
   */
  async around(query: Omit<AroundQuery, 'reader'>, userId: number): Promise<Json<FlowPage>> {
    const { roomId, limit, place } = query;
    const half = limit >> 1;
    const reader = { userId, now: this.#now() };
    // One row more than needed shows whether there are more.
    const found = await this.#store.around({ roomId, limit: limit - half + 1, place, reader });
    if (found === undefined) throw new AppError('room_not_found');
    if (!found) throw new AppError('message_not_found');
    const { before, from, seq, thread } = found;
    const maxCharacters = PAGE_MAX_CHARACTERS / 2;
    const older = await writeMessages(before, { limit: half, isForward: false, maxCharacters });
    const newer = await writeMessages(from, { limit: limit - half, maxCharacters });
    const target = thread ?? from[0] ?? before.at(-1);
    return pageJson<FlowPage>({
      messages: [...older.json, ...newer.json],
      ...(await quotedIn(this.#store, roomId, [...older.rows, ...newer.rows])),
      has_more: older.rows.length < before.length,
      has_more_after: newer.rows.length < from.length,
      epoch: this.#epoch,
      seq,
      ...(target && { target: { id: target.id, ...(thread && { thread_id: thread.threadId }) } }),
    });
  }

  async #read(query: HistoryQuery, userId: number) {
    const reader = { userId, now: this.#now() };
    // One row more than requested shows whether there are more.
    const found = await this.#store.history({ reader, ...query, limit: query.limit + 1 });
    if (!found) throw new AppError('room_not_found');
    const { rows, seq, hasBeyond } = found;
    // What does not fit is cut off at the end that is farther from the reader's position.
    const page = await writeMessages(rows, { limit: query.limit, isForward: query.afterId !== undefined });
    return { hasMore: page.rows.length < rows.length, hasBeyond, seq, ...page };
  }
}
