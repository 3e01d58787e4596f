/**
 * What a user last saw: the list of rooms, the end of each room, and the pages of their own. Kept in IndexedDB, so that
 * the client opens with it. The outbox has a database of its own, because this one may be deleted at any time.
 * `IndexedDatabase` is not part of the SDK's interface, so it is imported from its file.
 */
import type { RoomInfo, RoomSnapshot, RoomsSnapshot } from '../../../../client/index.ts';
import { IndexedDatabase } from '../../../../client/outbox/indexed-database.ts';

const DATABASE = 'roomful-cache';
/** Raise it when the shape of the records changes: the old ones are then deleted. */
const VERSION = 3;
const LISTS = 'lists';
const OWN = 'own';
const ROOMS = 'rooms';
const PAGES = 'pages';
const BY_USE = 'by-use';
/** Beyond these, the least recently opened rooms are deleted. */
const MAX_ROOMS = 50;

interface ListRow {
  readonly userId: number;
  readonly rooms: readonly RoomInfo[];
}

interface OwnRow {
  readonly userId: number;
  readonly snapshot: RoomsSnapshot;
}

/** What was last seen apart from rooms. */
export type PageName = 'inbox' | 'threads' | 'saved' | 'people';

interface PageRow {
  readonly userId: number;
  readonly name: PageName;
  readonly value: unknown;
}

interface RoomRow {
  readonly userId: number;
  readonly roomId: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly snapshot: RoomSnapshot;
}

const database = new IndexedDatabase(DATABASE, VERSION, (db) => {
  for (const name of [...db.objectStoreNames]) db.deleteObjectStore(name);
  for (const name of [LISTS, OWN]) db.createObjectStore(name, { keyPath: 'userId' });
  const rooms = db.createObjectStore(ROOMS, { keyPath: ['userId', 'roomId'] });
  rooms.createIndex(BY_USE, ['userId', 'usedAt']);
  db.createObjectStore(PAGES, { keyPath: ['userId', 'name'] });
});

export async function readList(userId: number): Promise<readonly RoomInfo[]> {
  const row = await database.run<ListRow | undefined>(LISTS, 'readonly', (store) => store.get(userId));
  return row?.rooms ?? [];
}

export async function writeList(userId: number, rooms: readonly RoomInfo[]): Promise<void> {
  await database.run(LISTS, 'readwrite', (store) => store.put({ userId, rooms } satisfies ListRow));
}

/** The rooms that the user is a member of. */
export async function readOwnRooms(userId: number): Promise<RoomsSnapshot | null> {
  const row = await database.run<OwnRow | undefined>(OWN, 'readonly', (store) => store.get(userId));
  return row?.snapshot ?? null;
}

export async function writeOwnRooms(userId: number, snapshot: RoomsSnapshot): Promise<void> {
  await database.run(OWN, 'readwrite', (store) => store.put({ userId, snapshot } satisfies OwnRow));
}

export async function readRoom(userId: number, roomId: number): Promise<RoomSnapshot | null> {
  const row = await database.run<RoomRow | undefined>(ROOMS, 'readonly', (store) =>
    store.get([userId, roomId]),
  );
  return row?.snapshot ?? null;
}

/** All rooms of the user that the device has something of. */
export async function readRooms(
  userId: number,
): Promise<readonly { readonly roomId: number; readonly snapshot: RoomSnapshot }[]> {
  return await database.run<RoomRow[]>(ROOMS, 'readonly', (store) => store.getAll(rangeOf(userId)));
}

export async function writeRoom(userId: number, roomId: number, snapshot: RoomSnapshot): Promise<void> {
  const row: RoomRow = { userId, roomId, usedAt: Date.now(), snapshot };
  await database.run(ROOMS, 'readwrite', (store) => {
    const written = store.put(row);
    forgetOldest(store, userId);
    return written;
  });
}

export async function deleteRoom(userId: number, roomId: number): Promise<void> {
  await database.run(ROOMS, 'readwrite', (store) => store.delete([userId, roomId]));
}

/** `T`: what this version writes under the name; another version has another database. */
export async function readPage<T>(userId: number, name: PageName): Promise<T | null> {
  const row = await database.run<PageRow | undefined>(PAGES, 'readonly', (store) =>
    store.get([userId, name]),
  );
  return row === undefined ? null : (row.value as T);
}

export async function writePage(userId: number, name: PageName, value: unknown): Promise<void> {
  await database.run(PAGES, 'readwrite', (store) => store.put({ userId, name, value } satisfies PageRow));
}

export async function deletePage(userId: number, name: PageName): Promise<void> {
  await database.run(PAGES, 'readwrite', (store) => store.delete([userId, name]));
}

/** Deletes everything of one user. */
export async function deleteAll(userId: number): Promise<void> {
  for (const name of [LISTS, OWN]) await database.run(name, 'readwrite', (store) => store.delete(userId));
  for (const name of [ROOMS, PAGES])
    await database.run(name, 'readwrite', (store) => store.delete(rangeOf(userId)));
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
