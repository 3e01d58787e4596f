/** A browser that keeps rooms and messages last seen, and what it has, from behind: by the database itself. */
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { createRoom } from '../support/users.ts';
import { UNREACHABLE } from './console-watch.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

/** Waits until the device has these messages of a room; without them, until it has any. */
export async function keptMessages(
  { page }: Person,
  userId: number,
  roomId: number,
  contents?: readonly string[],
): Promise<void> {
  await eventually('messages on the device', async () => {
    const kept = await page.evaluate(readContents, [userId, roomId]);
    const isKept = contents === undefined ? kept.length > 0 : isDeepStrictEqual(kept, contents);
    return isKept || undefined;
  });
}

/** Waits until the device has these of the user's own rooms with unread messages. */
export async function keptUnread({ page }: Person, userId: number, ids: readonly number[]): Promise<void> {
  await eventually('the unread rooms on the device', async () => {
    const kept = await page.evaluate(readUnreadIds, userId);
    return ids.every((id) => kept.includes(id)) || undefined;
  });
}

/** Waits until the device has these pages. */
export async function keptPages({ page }: Person, userId: number, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await eventually(`the page ${name} on the device`, async () => {
      return (await page.evaluate(hasPage, [userId, name] as const)) || undefined;
    });
  }
}

/** Waits until these pages on the device, and no others, have this text. */
export async function pagesWith(
  { page }: Person,
  userId: number,
  text: string,
  names: readonly string[],
): Promise<void> {
  await eventually(`the text in ${names.join(', ') || 'no page'}`, async () => {
    const found = await page.evaluate(findPages, [userId, text] as const);
    return isDeepStrictEqual(found, names) || undefined;
  });
}

/** Waits until the device has this room in its list. */
export async function keptRooms({ page }: Person, userId: number, name: string): Promise<void> {
  await eventually('the room on the device', async () => {
    return (await page.evaluate(readNames, userId)).includes(name) || undefined;
  });
}

/** Waits until the device has this room in the list of the user's own rooms, and lets no page save that list again. */
export async function freezeOwnRooms({ page }: Person, userId: number, roomId: number): Promise<void> {
  await eventually('the own room on the device', async () => {
    return (await page.evaluate(readOwnIds, userId)).includes(roomId) || undefined;
  });
  await page.context().addInitScript(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (row) {
      return this.name === 'own' ? this.get(0) : put.call(this, row);
    };
  });
}

/** Replaces what the device keeps of the room with that of another epoch of the database, with other messages. */
export async function pretendOtherLife({ page }: Person, userId: number, roomId: number): Promise<void> {
  await page.evaluate(rewriteLife, [userId, roomId]);
}

interface KeptRoom {
  snapshot: { epoch: string; messages: { content: string }[] };
}

// These run in the page.

function readContents(key: number[]): Promise<string[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found: IDBRequest<KeptRoom | undefined> = opening.result
        .transaction('rooms')
        .objectStore('rooms')
        .get(key);
      found.onsuccess = () => {
        opening.result.close();
        resolve(found.result?.snapshot.messages.map(({ content }) => content) ?? []);
      };
    };
  });
}

function findPages([userId, text]: readonly [number, string]): Promise<string[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found = opening.result
        .transaction('pages')
        .objectStore('pages')
        .getAll(IDBKeyRange.bound([userId], [userId, []]));
      found.onsuccess = () => {
        opening.result.close();
        const pages: { name: string }[] = found.result;
        resolve(pages.filter((row) => JSON.stringify(row).includes(text)).map(({ name }) => name));
      };
    };
  });
}

function hasPage(key: readonly [number, string]): Promise<boolean> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found = opening.result
        .transaction('pages')
        .objectStore('pages')
        .count([...key]);
      found.onsuccess = () => {
        opening.result.close();
        resolve(found.result > 0);
      };
    };
  });
}

function readNames(userId: number): Promise<string[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found: IDBRequest<{ rooms: { name: string }[] } | undefined> = opening.result
        .transaction('lists')
        .objectStore('lists')
        .get(userId);
      found.onsuccess = () => {
        opening.result.close();
        resolve(found.result?.rooms.map(({ name }) => name) ?? []);
      };
    };
  });
}

function readOwnIds(userId: number): Promise<number[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found: IDBRequest<{ snapshot: { rooms: { room: { id: number } }[] } } | undefined> =
        opening.result.transaction('own').objectStore('own').get(userId);
      found.onsuccess = () => {
        opening.result.close();
        resolve(found.result?.snapshot.rooms.map(({ room }) => room.id) ?? []);
      };
    };
  });
}

function readUnreadIds(userId: number): Promise<number[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const found: IDBRequest<
        { snapshot: { rooms: { room: { id: number }; unread: number | null }[] } } | undefined
      > = opening.result.transaction('own').objectStore('own').get(userId);
      found.onsuccess = () => {
        opening.result.close();
        const rooms = found.result?.snapshot.rooms ?? [];
        resolve(rooms.filter(({ unread }) => unread !== null && unread > 0).map(({ room }) => room.id));
      };
    };
  });
}

function rewriteLife(key: number[]): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('roomful-cache');
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('rooms', 'readwrite');
      const store = transaction.objectStore('rooms');
      const found: IDBRequest<KeptRoom> = store.get(key);
      found.onsuccess = () => {
        found.result.snapshot.epoch = 'another';
        for (const message of found.result.snapshot.messages) message.content = 'false';
        store.put(found.result);
      };
      transaction.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });
}

/** Ann is in a room, and the client is on her device. */
export async function keptClient(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE, /status of 401/);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}
