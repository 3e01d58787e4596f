import { either, isNatural, isText, optional, record } from '../api/checks.ts';
import type { Cancel } from '../clock.ts';
import { answersChecks } from './answers.ts';
import type { OutboxItem } from './outbox-store.ts';

const isItem = record<OutboxItem>({
  cid: isText,
  roomId: isNatural,
  content: isText,
  createdAt: isNatural,
  refusal: either(isText, (value) => value === null),
  epoch: optional(isText),
  ...answersChecks,
});

/**
 * Holds items in local storage until IndexedDB has committed them. Local storage writes synchronously, so an item
 * survives a page that closes or crashes first, or a database that fails. Other tabs see it at once, and the next page
 * at its start.
 */
export class OutboxJournal {
  readonly #prefix: string;
  readonly #storage: Storage | null;

  constructor(userId: number) {
    this.#prefix = `chat_outbox:${userId}:`;
    this.#storage = localStorageOrNull();
  }

  note(item: OutboxItem): void {
    try {
      this.#storage?.setItem(this.#prefix + item.cid, JSON.stringify(item));
    } catch {
      // Local storage is full. IndexedDB will have the item in a moment.
    }
  }

  /** IndexedDB has this version of the item. A newer version stays in the journal. */
  settle(item: OutboxItem): void {
    const key = this.#prefix + item.cid;
    if (this.#storage?.getItem(key) === JSON.stringify(item)) this.#storage.removeItem(key);
  }

  forget(cid: string): void {
    this.#storage?.removeItem(this.#prefix + cid);
  }

  clear(): void {
    for (const key of this.#keys()) this.#storage?.removeItem(key);
  }

  /** The items that IndexedDB may lack, each in its newest version. */
  items(): OutboxItem[] {
    return this.#keys().flatMap((key) => parse(this.#storage?.getItem(key)) ?? []);
  }

  /** Calls `listener` after another tab has changed the journal, until cancelled. */
  watch(listener: () => void): Cancel {
    const onStorage = ({ key }: StorageEvent) => {
      // Null: everything was deleted.
      if (key === null || key.startsWith(this.#prefix)) listener();
    };
    globalThis.addEventListener('storage', onStorage);
    return () => globalThis.removeEventListener('storage', onStorage);
  }

  #keys(): string[] {
    return Object.keys(this.#storage ?? {}).filter((key) => key.startsWith(this.#prefix));
  }
}

function localStorageOrNull(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** Null for anything but an item. */
function parse(text: string | null | undefined): OutboxItem | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isItem(value) ? value : null;
  } catch {
    return null;
  }
}
