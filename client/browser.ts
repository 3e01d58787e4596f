import type { ChatClientOptions } from './chat-client.ts';
import { browserSignals, type SignalEvents } from './connection/host-signals.ts';
import { indexedDbOutbox } from './outbox/outbox-indexeddb.ts';
import type { StorageEvents } from './session/session.ts';
import { type KeyValueStorage, memoryStorage } from './session/storage.ts';
import type { Locks } from './session/token-refresh.ts';

/** The part of a `Window` that the SDK uses. Programs without the types of a browser can use the SDK, too. */
export type BrowserWindow = SignalEvents &
  StorageEvents & {
    readonly location: { readonly origin: string };
    readonly localStorage: KeyValueStorage;
    /** `locks` is missing on pages that are not served over HTTPS. */
    readonly navigator: { readonly locks?: Locks };
  };

/**
 * The options for a `ChatClient` in a browser that connects to the server of the page: the session in local storage,
 * the outbox in IndexedDB, both shared by all tabs.
 */
export function browserOptions(window: BrowserWindow): ChatClientOptions {
  return {
    url: window.location.origin,
    origin: window.location.origin,
    storage: browserStorage(window),
    outbox: indexedDbOutbox,
    locks: window.navigator.locks,
    events: window,
    signals: browserSignals(window),
  };
}

/** Local storage, which all tabs share; memory when the browser denies it. */
export function browserStorage(window: Pick<BrowserWindow, 'localStorage'>): KeyValueStorage {
  try {
    const storage = window.localStorage;
    // Reads instead of writing: a full storage still holds the session.
    storage.getItem('chat_probe');
    return storage;
  } catch {
    return memoryStorage();
  }
}
