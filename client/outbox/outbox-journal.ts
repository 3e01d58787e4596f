import { either, isNatural, isText, record } from '../api/checks.ts';
import type { OutboxItem } from './outbox-store.ts';

const isItem = record<OutboxItem>({
  cid: isText,
  roomId: isNatural,
  content: isText,
  createdAt: isNatural,
  refusal: either(isText, (value) => value === null),
});

/**
 * What a page is about to store in IndexedDB, until that has committed. Local storage takes it at once: a page that ends
 * before, as in a crash, or whose database refuses, leaves it here, and the next page stores it.
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
      // It is full. IndexedDB has it in a moment.
    }
  }

  /** IndexedDB has it; a later form of it may still be on its way. */
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

  /** What pages that are gone have left; what a page that lives is about to store is among it, and the same. */
  leftovers(): OutboxItem[] {
    return this.#keys().flatMap((key) => parse(this.#storage?.getItem(key)) ?? []);
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

/** Anything but an item is taken for nothing. */
function parse(text: string | null | undefined): OutboxItem | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isItem(value) ? value : null;
  } catch {
    return null;
  }
}
