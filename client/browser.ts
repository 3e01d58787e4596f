import type { ChatClientOptions } from './chat-client.ts';
import { browserSignals, type SignalEvents } from './connection/host-signals.ts';
import { indexedDbOutbox } from './outbox/outbox-indexeddb.ts';
import type { StorageEvents } from './session/session.ts';
import { type KeyValueStorage, memoryStorage } from './session/storage.ts';
import type { Locks } from './session/token-refresh.ts';

/** What is needed of a `Window`, so that programs without one need not know its type. */
export type BrowserWindow = SignalEvents &
  StorageEvents & {
    readonly location: { readonly origin: string };
    readonly localStorage: KeyValueStorage;
    /** Without `locks` outside of a secure context. */
    readonly navigator: { readonly locks?: Locks };
  };

/**
 * What a browser has for a `ChatClient` that talks to the server of this page: the session in local storage, the outbox
 * in IndexedDB, all tabs as one.
 */
export function browserOptions(window: BrowserWindow): ChatClientOptions {
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
export function browserStorage(window: Pick<BrowserWindow, 'localStorage'>): KeyValueStorage {
  try {
    const storage = window.localStorage;
    // Read, not written: one that is full still has the session.
    storage.getItem('chat_probe');
    return storage;
  } catch {
    return memoryStorage();
  }
}
