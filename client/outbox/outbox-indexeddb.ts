import type { Cancel } from '../clock.ts';
import { IndexedDatabase } from './indexed-database.ts';
import { OutboxJournal } from './outbox-journal.ts';
import { byCid, type OutboxItem, type OutboxStore } from './outbox-store.ts';

const DATABASE = 'roomful';
const STORE = 'outbox';
const VERSION = 1;

/** Keeps a user's outbox in the browser: it survives reload and the closing of the tab, and all tabs share it. */
export function indexedDbOutbox(userId: number): OutboxStore {
  const channel = new BroadcastChannel(`roomful-outbox-${userId}`);
  const own = IDBKeyRange.bound([userId], [userId, []]);
  const journal = new OutboxJournal(userId);
  const database = new IndexedDatabase(DATABASE, VERSION, (db) => {
    db.createObjectStore(STORE, { keyPath: ['userId', 'cid'] });
  });
  let closed = false;
  /** Whether what earlier pages left is in the database. */
  let isRecovered = false;

  function tell(): void {
    if (!closed) channel.postMessage('changed');
  }

  async function change<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    await database.run(STORE, 'readwrite', request, (transaction) => {
      // Not left to the page's next turn: the page may be about to close.
      transaction.commit();
      // Told at once as well: a page that is closed in between has saved it, and the others would never learn of it.
      // What they read then waits for this transaction.
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

  /** Stores what earlier pages could not: a load that follows sees it. */
  function recover(): void {
    if (isRecovered || closed) return;
    Promise.all(journal.leftovers().map(put)).then(
      () => {
        isRecovered = true;
      },
      // Tried again with the next load.
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
        // A database that refuses does not keep back what is not in it.
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
