/** Where a session keeps its tokens: `localStorage` fits as it is. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Storage that ends with the process: for Node, and for browsers that refuse to store. */
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

/** Storage that never throws: what the other one refuses to take (it is full, or forbidden by now) is held in memory. */
export class PatientStorage implements KeyValueStorage {
  readonly #storage: KeyValueStorage;
  /** Null: removed. */
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

  /** Another tab has written: what it says is newer. */
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
