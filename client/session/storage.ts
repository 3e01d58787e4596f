/** Where a session keeps its tokens. `localStorage` satisfies it. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Storage in memory: for Node, and for browsers without storage. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value);
    },
    removeItem: (key) => {
      values.delete(key);
    },
  };
}

/** A storage that never throws: values that cannot be written, because it is full or forbidden, are kept in memory. */
export class PatientStorage implements KeyValueStorage {
  readonly #storage: KeyValueStorage;
  /** Null marks a removed key. */
  readonly #unwritten = new Map<string, string | null>();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  getItem(key: string): string | null {
    const unwritten = this.#unwritten.get(key);
    if (unwritten !== undefined) return unwritten;
    try {
      return this.#storage.getItem(key);
    } catch {
      return null;
    }
  }

  setItem(key: string, value: string): void {
    this.#write(key, value, () => this.#storage.setItem(key, value));
  }

  removeItem(key: string): void {
    this.#write(key, null, () => this.#storage.removeItem(key));
  }

  /** Another tab has written a newer value. */
  forgetUnwritten(): void {
    this.#unwritten.clear();
  }

  #write(key: string, value: string | null, write: () => void): void {
    this.#unwritten.delete(key);
    try {
      write();
    } catch {
      this.#unwritten.set(key, value);
    }
  }
}
