/** Posting and reading messages. Nothing is announced or acknowledged before it is durable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../protocol/errors.ts';
import type { Message } from '../../protocol/events.ts';
import type { HistoryPage } from '../../protocol/rest.ts';
import { isMessageContent } from '../../protocol/text.ts';
import type { Bus } from '../bus/bus.ts';
import type { MessageRow, Store } from '../storage/store.ts';

/** Of text as JSON in one page. 200 messages of 4000 letters have room; 200 of 4000 control characters do not. */
const PAGE_MAX_CHARACTERS = 1024 * 1024;

export interface Posted {
  id: number;
  seq: number;
  createdAt: number;
  /** The same cid was posted before; these are the first one's numbers, and nothing was announced. */
  duplicate: boolean;
}

export class Messages {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #onRefused: (error: unknown) => void;
  readonly #now: () => number;
  #pending = 0;

  /** `onRefused` is called with the error of each message that the store did not take. */
  constructor(options: { store: Store; bus: Bus; onRefused?: (error: unknown) => void; now?: () => number }) {
    this.#store = options.store;
    this.#bus = options.bus;
    this.#onRefused = options.onRefused ?? (() => undefined);
    this.#now = options.now ?? Date.now;
  }

  /** Stores the message, then announces it to the room. Resolves in the order of the room's seq. */
  async post(message: {
    roomId: number;
    author: { userId: number; username: string };
    content: string;
    cid: string | null;
  }): Promise<Posted> {
    const { roomId, author, content, cid } = message;
    if (!isMessageContent(content)) throw new AppError('invalid_content');
    const { userId, username } = author;
    this.#pending++;
    const stored = await this.#store
      .append({ roomId, userId, cid, content, now: this.#now() })
      .catch((error) => {
        this.#onRefused(error);
        throw error;
      })
      .finally(() => this.#pending--);
    switch (stored.outcome) {
      case 'stored': {
        const { id, seq, createdAt } = stored;
        this.#bus.publish({
          type: 'message',
          roomId,
          message: { id, roomId, seq, userId, username, cid, content, createdAt },
        });
        return { id, seq, createdAt, duplicate: false };
      }
      case 'duplicate':
        return { id: stored.id, seq: stored.seq, createdAt: stored.createdAt, duplicate: true };
      case 'cid_conflict':
      case 'room_not_found':
        throw new AppError(stored.outcome);
      case 'user_not_found':
        throw new AppError('invalid_token');
    }
  }

  /** Resolves when every message that was accepted has been answered, at the latest after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.#pending > 0 && performance.now() < deadline) await sleep(5);
  }

  /** A page of history, ascending. One row more than asked for is read, to know whether there are more. */
  async history(query: {
    roomId: number;
    limit: number;
    beforeId?: number | undefined;
    afterId?: number | undefined;
  }): Promise<HistoryPage> {
    if (!(await this.#store.findRoom(query.roomId))) throw new AppError('room_not_found');
    const rows = await this.#store.history({ ...query, limit: query.limit + 1 });
    // The end that is nearest to where the reader stands comes first, so that what is cut off is what comes after it.
    const isForward = query.afterId !== undefined;
    const nearestFirst = (isForward ? rows : rows.reverse()).map(toMessage);
    const page = cut(nearestFirst, query.limit);
    const messages = isForward ? page : page.reverse();
    return { messages, has_more: page.length < rows.length };
  }
}

/** At most `limit` messages, and fewer when their text is very long; at least one, if there is one. */
function cut(messages: Message[], limit: number): Message[] {
  let characters = 0;
  const end = messages.findIndex(({ content }, index) => {
    characters += JSON.stringify(content).length;
    return index >= limit || (index > 0 && characters > PAGE_MAX_CHARACTERS);
  });
  return end < 0 ? messages : messages.slice(0, end);
}

/** A stored message as it travels. */
export function toMessage(row: MessageRow): Message {
  return {
    type: 'message',
    id: row.id,
    room_id: row.roomId,
    user_id: row.userId,
    username: row.username,
    content: row.content,
    created_at: new Date(row.createdAt).toISOString(),
    seq: row.seq,
    ...(row.cid === null ? {} : { cid: row.cid }),
  };
}
