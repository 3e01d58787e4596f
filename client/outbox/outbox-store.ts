import type { Cancel } from '../clock.ts';

/** A message on its way: kept from the moment when it is sent until the server has it or the user gives it up. */
export interface OutboxItem {
  /** Chosen once, when the message was written. The server stores it once, however often and by whomever it is sent. */
  readonly cid: string;
  readonly roomId: number;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The code with which the server refused it for good; null while it is to be sent. */
  readonly refusal: string | null;
}

/**
 * Where one user's outbox is kept. Operations take effect in the order in which they are called: a `load` sees every
 * `put` and `delete` that was called before it, by this tab or by another whose promise had resolved. What was put is
 * still there after a reload when its promise has resolved. A rejection leaves everything as it was.
 */
export interface OutboxStore {
  /** All items, ascending by cid. */
  load(): Promise<readonly OutboxItem[]>;
  /** Adds the item, or replaces the one of the same cid. */
  put(item: OutboxItem): Promise<void>;
  /** Does nothing when there is no such item. */
  delete(cid: string): Promise<void>;
  /** Deletes this user's items, and no one else's. */
  clear(): Promise<void>;
  /** Calls `listener` after another tab changed something. */
  watch(listener: () => void): Cancel;
  /** Lets go of what it holds; later calls reject. */
  close(): void;
}

/** An outbox that ends with the process, or with `items`: for Node, and for browsers that refuse to store. */
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

export function byCid(a: OutboxItem, b: OutboxItem): number {
  return a.cid < b.cid ? -1 : a.cid > b.cid ? 1 : 0;
}
