import type { Cancel } from './clock.ts';
import { IndexedDatabase } from './indexed-database.ts';
import { OutboxJournal } from './outbox-journal.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

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
  let recovered = false;

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
    await change((store) => store.put({ ...item, userId })).finally(() => journal.settle(item));
  }

  /** Stores what earlier pages could not; the load that follows sees it. */
  function recover(): void {
    if (recovered || closed) return;
    recovered = true;
    for (const item of journal.leftovers()) put(item).catch(() => {});
  }

  return {
    load: async () => {
      recover();
      const rows = await database.run<(OutboxItem & { userId: number })[]>(STORE, 'readonly', (store) =>
        store.getAll(own),
      );
      return rows.map(({ userId: _user, ...item }) => item);
    },
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
