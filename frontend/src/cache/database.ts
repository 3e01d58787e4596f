/**
 * What a user last saw, kept in IndexedDB so that the client opens with it: the list of rooms, and the end of each room. A
 * database of its own, apart from the outbox: this one may be thrown away at any time.
 */
import type { RoomInfo, RoomSnapshot } from '../../../client/index.ts';

const DATABASE = 'roomful-cache';
/** Raised when the form of what is kept changes: the old is thrown away. */
const VERSION = 1;
const LISTS = 'lists';
const ROOMS = 'rooms';
const BY_USE = 'by-use';
/** Beyond these, the rooms that were not open for the longest are forgotten. */
const MAX_ROOMS = 50;

interface ListRow {
  readonly userId: number;
  readonly rooms: readonly RoomInfo[];
}

interface RoomRow {
  readonly userId: number;
  readonly roomId: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly snapshot: RoomSnapshot;
}

let opening: Promise<IDBDatabase> | null = null;

export async function readList(userId: number): Promise<readonly RoomInfo[]> {
  const row = await run<ListRow | undefined>(LISTS, 'readonly', (store) => store.get(userId));
  return row?.rooms ?? [];
}

export async function writeList(userId: number, rooms: readonly RoomInfo[]): Promise<void> {
  await run(LISTS, 'readwrite', (store) => store.put({ userId, rooms } satisfies ListRow));
}

export async function readRoom(userId: number, roomId: number): Promise<RoomSnapshot | null> {
  const row = await run<RoomRow | undefined>(ROOMS, 'readonly', (store) => store.get([userId, roomId]));
  return row?.snapshot ?? null;
}

export async function writeRoom(userId: number, roomId: number, snapshot: RoomSnapshot): Promise<void> {
  const row: RoomRow = { userId, roomId, usedAt: Date.now(), snapshot };
  await run(ROOMS, 'readwrite', (store) => {
    const written = store.put(row);
    forgetOldest(store, userId);
    return written;
  });
}

/** Deletes all that is kept of one user's. */
export async function deleteAll(userId: number): Promise<void> {
  await run(LISTS, 'readwrite', (store) => store.delete(userId));
  await run(ROOMS, 'readwrite', (store) => store.delete(rangeOf(userId)));
}

function forgetOldest(store: IDBObjectStore, userId: number): void {
  const keys = store.index(BY_USE).getAllKeys(rangeOf(userId));
  keys.onsuccess = () => {
    for (const key of keys.result.slice(0, -MAX_ROOMS)) store.delete(key);
  };
}

/** All keys that begin with this user. */
function rangeOf(userId: number): IDBKeyRange {
  return IDBKeyRange.bound([userId], [userId, []]);
}

async function run<T>(
  name: string,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await database()).transaction(name, mode);
  const asked = request(transaction.objectStore(name));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
  });
  return asked.result;
}

function database(): Promise<IDBDatabase> {
  if (opening === null) {
    const forget = () => {
      opening = null;
    };
    opening = open(forget);
    opening.catch(forget);
  }
  return opening;
}

/** `onGone`: this connection is of no more use, the next operation needs another. */
function open(onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const db = request.result;
      for (const name of [...db.objectStoreNames]) db.deleteObjectStore(name);
      db.createObjectStore(LISTS, { keyPath: 'userId' });
      const rooms = db.createObjectStore(ROOMS, { keyPath: ['userId', 'roomId'] });
      rooms.createIndex(BY_USE, ['userId', 'usedAt']);
    };
    request.onerror = () => reject(request.error ?? new Error('the database cannot be opened'));
    request.onsuccess = () => {
      const db = request.result;
      db.onclose = onGone;
      // A page of a newer version, in another tab, waits for us.
      db.onversionchange = () => {
        db.close();
        onGone();
      };
      resolve(db);
    };
  });
}
