import type { Cancel } from './clock.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

const DATABASE = 'roomful';
const STORE = 'outbox';
const VERSION = 1;

/** Keeps a user's outbox in the browser: it survives reload and the closing of the tab, and all tabs share it. */
export function indexedDbOutbox(userId: number): OutboxStore {
  const channel = new BroadcastChannel(`roomful-outbox-${userId}`);
  const own = IDBKeyRange.bound([userId], [userId, []]);
  let opening: Promise<IDBDatabase> | null = null;
  let closed = false;

  function database(): Promise<IDBDatabase> {
    if (closed) return Promise.reject(new Error('the outbox is closed'));
    if (opening === null) {
      const forget = () => {
        opening = null;
      };
      opening = open(forget);
      opening.catch(forget);
    }
    return opening;
  }

  async function run<T>(
    mode: IDBTransactionMode,
    request: (store: IDBObjectStore) => IDBRequest<T>,
    onCommitting = () => {},
  ): Promise<T> {
    const transaction = (await database()).transaction(STORE, mode);
    const asked = request(transaction.objectStore(STORE));
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    // Not left to the page's next turn: the page may be about to close.
    transaction.commit();
    onCommitting();
    await done;
    return asked.result;
  }

  async function change<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    const tell = () => {
      if (!closed) channel.postMessage('changed');
    };
    // Told at once as well: a page that is closed in between has saved it, and the others would never learn of it.
    // What they read then waits for this transaction.
    await run('readwrite', request, tell);
    tell();
  }

  return {
    load: async () => {
      const rows = await run<(OutboxItem & { userId: number })[]>('readonly', (store) => store.getAll(own));
      return rows.map(({ userId: _user, ...item }) => item);
    },
    put: (item) => change((store) => store.put({ ...item, userId })),
    delete: (cid) => change((store) => store.delete([userId, cid])),
    clear: () => change((store) => store.delete(own)),
    watch: (listener): Cancel => {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => {
      closed = true;
      channel.close();
      // A connection closes when its transactions are done.
      opening?.then((db) => db.close()).catch(() => {});
    },
  };
}

/** `onGone`: this connection is of no more use, the next operation needs another. */
function open(onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: ['userId', 'cid'] });
    };
    request.onerror = () => reject(request.error ?? new Error('the database cannot be opened'));
    request.onsuccess = () => {
      const db = request.result;
      db.onclose = onGone;
      // A newer version of this page, in another tab, waits for us.
      db.onversionchange = () => {
        db.close();
        onGone();
      };
      resolve(db);
    };
  });
}
