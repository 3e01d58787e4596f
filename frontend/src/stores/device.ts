/** What is kept on this device. Everything but the session's own keys is kept per user and deleted at sign-out. */
import { browserStorage, type KeyValueStorage } from '../../../client/index.ts';
import { parseId } from '../../../protocol/text.ts';

/** Tests that run outside of a browser have no window and use memory. */
const storage = browserStorage(globalThis.window);

/** What is kept here is a convenience: writing never fails, even when the device is full. */
export const localStore: KeyValueStorage = {
  getItem: (key) => storage.getItem(key),
  setItem: (key, value) => {
    try {
      storage.setItem(key, value);
    } catch {
      // The value is lost at the next start.
    }
  },
  removeItem: (key) => storage.removeItem(key),
};

/** All keys on the device. Memory has none to list, and ends with the page anyway. */
export function storedKeys(): string[] {
  return Object.keys(storage);
}

export function draftKey(userId: number, roomId: number | ''): string {
  return `chat_draft:${userId}:${roomId}`;
}

export function threadDraftKey(userId: number, threadId: number): string {
  return `chat_thread_draft:${userId}:${threadId}`;
}

/** Set while this browser receives notifications for the user. */
export function pushKey(userId: number): string {
  return `chat_push:${userId}`;
}

/** Where earlier versions kept read marks. */
export function readMarksKey(userId: number): string {
  return `chat_read:${userId}`;
}

const LAST_ROOM_KEY = 'chat_last_room';
/**
 * The user and the room of the last visit, as `user:room`. An expired session leaves the last room here, and the next
 * user to sign in may be another one. The room stands in it, too: another client for the same server writes only the
 * first key, and then the two do not match.
 */
const LAST_ROOM_OF_KEY = 'chat_last_room_of';

export function rememberLastRoom(userId: number, roomId: number): void {
  localStore.setItem(LAST_ROOM_OF_KEY, `${userId}:${roomId}`);
  localStore.setItem(LAST_ROOM_KEY, String(roomId));
}

/** The room that this user was in last; null when there is none, and when the last visitor was another user. */
export function lastRoomOf(userId: number): number | null {
  const roomId = lastRoom();
  return localStore.getItem(LAST_ROOM_OF_KEY) === `${userId}:${roomId}` ? roomId : null;
}

/**
 * Takes a last room that another client has written for that of the user whose session this page has found. Only such a
 * session: a user who signs in with a password may not be the one who was in the room.
 */
export function adoptLastRoom(userId: number): void {
  const roomId = lastRoom();
  const [, ownedRoom] = localStore.getItem(LAST_ROOM_OF_KEY)?.split(':') ?? [];
  if (roomId !== null && ownedRoom !== String(roomId)) rememberLastRoom(userId, roomId);
}

/** Forgets the last room unless it is this user's, and returns it; null when there was none or it is theirs. */
export function forgetForeignLastRoom(userId: number): number | null {
  if (lastRoomOf(userId) !== null) return null;
  const roomId = lastRoom();
  forgetLastRoom();
  return roomId;
}

function lastRoom(): number | null {
  return parseId(localStore.getItem(LAST_ROOM_KEY) ?? '');
}

function forgetLastRoom(): void {
  localStore.removeItem(LAST_ROOM_OF_KEY);
  localStore.removeItem(LAST_ROOM_KEY);
}

/** Outlives a reload of this tab and is seen by no other. Memory where the browser refuses to store. */
const tabStorage = browserStorage({
  get localStorage() {
    return globalThis.window.sessionStorage;
  },
});

/** The user whose room may be in the address of this tab. */
const TAB_OF_KEY = 'chat_tab_of';

/** Makes this the tab of `userId`. True when it was another user's. */
export function takeTab(userId: number): boolean {
  const before = tabStorage.getItem(TAB_OF_KEY);
  try {
    tabStorage.setItem(TAB_OF_KEY, String(userId));
  } catch {
    // It is now nobody's: a full store must not keep the other user's id.
    tabStorage.removeItem(TAB_OF_KEY);
  }
  return before !== null && before !== String(userId);
}

/** Deletes what this tab and local storage hold of a user who signed out: every key that contains their id. */
export function forgetUser(userId: number): void {
  forgetLastRoom();
  tabStorage.removeItem(TAB_OF_KEY);
  const theirs = new RegExp(`^chat_[a-z_]+:${userId}(:|$)`);
  for (const key of storedKeys()) if (theirs.test(key)) localStore.removeItem(key);
}

const KNOWN_KEY = 'chat_known_device';

/** Whether anybody has signed in on this device before. A first visitor is not welcomed back. */
export function isKnownDevice(): boolean {
  return localStore.getItem(KNOWN_KEY) !== null;
}

export function rememberDevice(): void {
  localStore.setItem(KNOWN_KEY, '1');
}
