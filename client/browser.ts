import type { ChatClientOptions } from './chat-client.ts';
import { browserSignals } from './host-signals.ts';
import { indexedDbOutbox } from './outbox-indexeddb.ts';
import { type KeyValueStorage, memoryStorage } from './storage.ts';

/**
 * What a browser has for a `ChatClient` that talks to the server of this page: the session in local storage, the outbox
 * in IndexedDB, all tabs as one.
 */
export function browserOptions(window: Window): ChatClientOptions {
  return {
    url: window.location.origin,
    storage: browserStorage(window),
    outbox: indexedDbOutbox,
    locks: window.navigator.locks,
    events: window,
    signals: browserSignals(window),
  };
}

/** What is kept here is shared by all tabs; memory where the browser refuses to store. */
export function browserStorage(window: Window): KeyValueStorage {
  try {
    const storage = window.localStorage;
    storage.setItem('chat_probe', '1');
    storage.removeItem('chat_probe');
    return storage;
  } catch {
    return memoryStorage();
  }
}
