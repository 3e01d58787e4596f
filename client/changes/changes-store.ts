/** Where changes of messages wait for the server: IndexedDB, which all tabs share. */
import type { Cancel } from '../clock.ts';
import { IndexedDatabase } from '../outbox/indexed-database.ts';
import type { Change } from './change.ts';

/** Operations take effect in the order of the calls. When the promise of a `put` has resolved, it survives a reload. */
export interface ChangesStore {
  load(): Promise<readonly Change[]>;
  /** Adds the change, or replaces the one with the same key. */
  put(change: Change): Promise<void>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Calls `listener` after another tab has changed something, until cancelled. */
  watch(listener: () => void): Cancel;
  close(): void;
}

const DATABASE = 'roomful-changes';
const STORE = 'changes';

export function indexedDbChanges(userId: number): ChangesStore {
  const channel = new BroadcastChannel(`roomful-changes-${userId}`);
  const own = IDBKeyRange.bound([userId], [userId, []]);
  const database = new IndexedDatabase(DATABASE, 1, (db) => {
    db.createObjectStore(STORE, { keyPath: ['userId', 'key'] });
  });
  let closed = false;

  async function change<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    // Commit now: the page may be about to close.
    await database.run(STORE, 'readwrite', request, (transaction) => transaction.commit());
    if (!closed) channel.postMessage('changed');
  }

  return {
    load: async () => {
      const rows = await database.run<(Change & { userId: number })[]>(STORE, 'readonly', (store) =>
        store.getAll(own),
      );
      return rows.map(({ userId: _, ...item }) => item);
    },
    put: (item) => change((store) => store.put({ ...item, userId })),
    delete: (key) => change((store) => store.delete([userId, key])),
    clear: () => change((store) => store.delete(own)),
    watch: (listener) => {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => {
      closed = true;
      channel.close();
      database.close();
    },
  };
}

/** In memory, which lives as long as `items`: for tests, and for browsers without storage. */
export function memoryChanges(items = new Map<string, Change>()): ChangesStore {
  return {
    load: async () => [...items.values()],
    put: async (item) => void items.set(item.key, item),
    delete: async (key) => void items.delete(key),
    clear: async () => items.clear(),
    watch: () => () => {},
    close: () => {},
  };
}
