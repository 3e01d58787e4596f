/** What is kept on this device. Everything but the session's own keys is kept per user and goes at sign-out. */
import { browserStorage, STORAGE_KEYS } from '../../../client/index.ts';

/** In tests that run outside of a browser there is no window: memory, then. */
export const localStore = browserStorage(globalThis.window);

export function draftKey(userId: number, roomId: number | ''): string {
  return `chat_draft:${userId}:${roomId}`;
}

export function readMarksKey(userId: number): string {
  return `chat_read:${userId}`;
}

/** Deletes what local storage has of a user who signed out: drafts, read marks and whatever else bears their id. */
export function forgetUser(userId: number): void {
  localStore.removeItem(STORAGE_KEYS.lastRoom);
  const theirs = new RegExp(`^chat_[a-z_]+:${userId}(:|$)`);
  // Memory storage has no keys to list; it ends with the page anyway.
  for (const key of Object.keys(localStore)) if (theirs.test(key)) localStore.removeItem(key);
}

const KNOWN_KEY = 'chat_known_device';

/** Did anybody ever come in on this device? Who comes for the first time is not welcomed back. */
export function isKnownDevice(): boolean {
  return localStore.getItem(KNOWN_KEY) !== null;
}

export function rememberDevice(): void {
  localStore.setItem(KNOWN_KEY, '1');
}
