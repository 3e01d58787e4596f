import type { Cancel } from '../clock.ts';
import { IndexedDatabase } from './indexed-database.ts';
import { OutboxJournal } from './outbox-journal.ts';
import { byCid, type OutboxItem, type OutboxStore } from './outbox-store.ts';

const DATABASE = 'roomful';
const STORE = 'outbox';
const VERSION = 1;

/** Keeps a user's outbox in IndexedDB: it survives reloads and closed tabs, and all tabs share it. */
export function indexedDbOutbox(userId: number): OutboxStore {
  const channel = new BroadcastChannel(`roomful-outbox-${userId}`);
  const own = IDBKeyRange.bound([userId], [userId, []]);
  const journal = new OutboxJournal(userId);
  const database = new IndexedDatabase(DATABASE, VERSION, (db) => {
    db.createObjectStore(STORE, { keyPath: ['userId', 'cid'] });
  });
  let closed = false;

  function tell(): void {
    if (!closed) channel.postMessage('changed');
  }

  async function change<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    await database.run(STORE, 'readwrite', request, (transaction) => {
      // Commit now, not in a later turn of the event loop: the page may be about to close.
      transaction.commit();
      // Notify the other tabs now, too. If this page closes before the commit is reported, the others would otherwise
      // never learn of it. Their reads wait for this transaction.
      tell();
    });
    tell();
  }

  async function put(item: OutboxItem): Promise<void> {
    if (closed) throw new Error('the outbox is closed');
    journal.note(item);
    await change((store) => store.put({ ...item, userId }));
    journal.settle(item);
  }

  async function load(): Promise<readonly OutboxItem[]> {
    // Before the database is read: an item leaves the journal only when the database has it.
    const items = new Map(journal.items().map((item) => [item.cid, item]));
    try {
      const rows = await database.run<(OutboxItem & { userId: number })[]>(STORE, 'readonly', (store) =>
        store.getAll(own),
      );
      for (const { userId: _user, ...item } of rows) if (!items.has(item.cid)) items.set(item.cid, item);
    } catch (error) {
      // When the database fails, the journal can still be read.
      if (closed || items.size === 0) throw error;
    }
    return [...items.values()].sort(byCid);
  }

  return {
    load,
    put,
    delete: (cid) => {
      journal.forget(cid);
      return change((store) => store.delete([userId, cid]));
    },
    clear: () => {
      journal.clear();
      return change((store) => store.delete(own));
    },
    watch: (listener): Cancel => {
      channel.addEventListener('message', listener);
      const cancelJournal = journal.watch(listener);
      return () => {
        channel.removeEventListener('message', listener);
        cancelJournal();
      };
    },
    close: () => {
      closed = true;
      channel.close();
      database.close();
    },
  };
}
