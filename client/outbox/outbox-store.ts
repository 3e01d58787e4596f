import type { Cancel } from '../clock.ts';
import type { Answers } from './answers.ts';

/** An unsent message: kept from the call of `send` until the server has stored it or the user discards it. */
export interface OutboxItem extends Answers {
  /** Chosen when the message was written. The server stores a cid once, however often it is sent. */
  readonly cid: string;
  readonly roomId: number;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The code of the permanent refusal; null while the message is to be sent. */
  readonly refusal: string | null;
  /**
   * The epoch of the database that the message was written for. Missing while that is not known, and in items that an
   * earlier version stored: the first connection of the room sets it.
   */
  readonly epoch?: string | undefined;
}

/**
 * Stores one user's unsent messages. Operations take effect in the order of the calls: a `load` sees every earlier
 * `put` and `delete` of this tab, and those of other tabs whose promises have resolved. When the promise of a `put`
 * has resolved, the item survives a reload. A rejected operation changes nothing.
 */
export interface OutboxStore {
  /** All items, ascending by cid. */
  load(): Promise<readonly OutboxItem[]>;
  /** Adds the item, or replaces the one with the same cid. */
  put(item: OutboxItem): Promise<void>;
  /** Does nothing when the item does not exist. */
  delete(cid: string): Promise<void>;
  /** Deletes all items of this user, and none of other users. */
  clear(): Promise<void>;
  /** Calls `listener` after another tab has changed something, until cancelled. */
  watch(listener: () => void): Cancel;
  /** Releases resources. Later calls reject. */
  close(): void;
}

/** An outbox in memory, which lives as long as `items`: for Node, and for browsers without storage. */
export function memoryOutbox(items = new Map<string, OutboxItem>()): OutboxStore {
  let closed = false;
  const run = async <T>(operation: () => T): Promise<T> => {
    if (closed) throw new Error('the outbox is closed');
    return operation();
  };
  return {
    load: () => run(() => [...items.values()].sort(byCid)),
    put: (item) => run(() => void items.set(item.cid, item)),
    delete: (cid) => run(() => void items.delete(cid)),
    clear: () => run(() => items.clear()),
    watch: () => () => {},
    close: () => {
      closed = true;
    },
  };
}

/** Compares items by cid. */
export function byCid(a: OutboxItem, b: OutboxItem): number {
  return a.cid < b.cid ? -1 : a.cid > b.cid ? 1 : 0;
}
