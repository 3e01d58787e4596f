type Upgrade = (db: IDBDatabase) => void;

/** An IndexedDB database: opened on first use, and reopened when its connection was closed. */
export class IndexedDatabase {
  readonly #name: string;
  readonly #version: number;
  readonly #upgrade: Upgrade;
  #opening: Promise<IDBDatabase> | null = null;
  #closed = false;

  /** `upgrade` creates the object stores; those of an earlier version may exist. */
  constructor(name: string, version: number, upgrade: Upgrade) {
    this.#name = name;
    this.#version = version;
    this.#upgrade = upgrade;
  }

  /**
   * Runs one request in its own transaction and resolves when that has completed. `onAsked` is called synchronously,
   * right after the request was made. With several stores the transaction is of all, and the request of the first.
   */
  async run<T>(
    name: string | readonly [string, ...string[]],
    mode: IDBTransactionMode,
    request: (store: IDBObjectStore) => IDBRequest<T>,
    onAsked?: (transaction: IDBTransaction) => void,
  ): Promise<T> {
    const transaction = (await this.#opened()).transaction(name, mode);
    const asked = request(transaction.objectStore(typeof name === 'string' ? name : name[0]));
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    onAsked?.(transaction);
    await done;
    return asked.result;
  }

  /** Closes the database for good, after the requests that were made. */
  close(): void {
    this.#closed = true;
    // The browser closes the connection when its transactions have completed.
    this.#opening?.then((db) => db.close()).catch(() => {});
  }

  #opened(): Promise<IDBDatabase> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    if (this.#opening === null) {
      this.#opening = this.#open();
      this.#opening.catch(() => this.#forget());
    }
    return this.#opening;
  }

  #open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, this.#version);
      request.onupgradeneeded = () => this.#upgrade(request.result);
      request.onerror = () => reject(request.error ?? new Error('the database cannot be opened'));
      request.onsuccess = () => {
        const db = request.result;
        db.onclose = () => this.#forget();
        // A newer version of the page, in another tab, waits for this connection to close.
        db.onversionchange = () => {
          db.close();
          this.#forget();
        };
        resolve(db);
      };
    });
  }

  #forget(): void {
    this.#opening = null;
  }
}
