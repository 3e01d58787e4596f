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
  /** Whether the journal of earlier pages is in the database. */
  let isRecovered = false;

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

  /** Stores what earlier pages could not store. A later `load` sees it. */
  function recover(): void {
    if (isRecovered || closed) return;
    Promise.all(journal.leftovers().map(put)).then(
      () => {
        isRecovered = true;
      },
      // The next load retries.
      () => {},
    );
  }

  async function load(): Promise<readonly OutboxItem[]> {
    recover();
    const rows = await database.run<(OutboxItem & { userId: number })[]>(STORE, 'readonly', (store) =>
      store.getAll(own),
    );
    return rows.map(({ userId: _user, ...item }) => item);
  }

  return {
    load: () =>
      load().catch((error) => {
        // When the database fails, the journal can still be read.
        const leftovers = closed ? [] : journal.leftovers();
        if (leftovers.length === 0) throw error;
        return leftovers.sort(byCid);
      }),
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
      return () => channel.removeEventListener('message', listener);
    },
    close: () => {
      closed = true;
      channel.close();
      database.close();
    },
  };
}
