type Upgrade = (db: IDBDatabase) => void;

/** A database of the browser: opened when it is first used, and anew when its connection is of no more use. */
export class IndexedDatabase {
  readonly #name: string;
  readonly #version: number;
  readonly #upgrade: Upgrade;
  #opening: Promise<IDBDatabase> | null = null;
  #closed = false;

  /** `upgrade`: makes the stores, with or without those of an earlier version. */
  constructor(name: string, version: number, upgrade: Upgrade) {
    this.#name = name;
    this.#version = version;
    this.#upgrade = upgrade;
  }

  /** Runs one request in a transaction of its own; resolves when that is done. `onAsked`: right after the request. */
  async run<T>(
    name: string,
    mode: IDBTransactionMode,
    request: (store: IDBObjectStore) => IDBRequest<T>,
    onAsked?: (transaction: IDBTransaction) => void,
  ): Promise<T> {
    const transaction = (await this.#opened()).transaction(name, mode);
    const asked = request(transaction.objectStore(name));
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    onAsked?.(transaction);
    await done;
    return asked.result;
  }

  /** For good, as soon as what was asked is done. */
  close(): void {
    this.#closed = true;
    // A connection closes when its transactions are done.
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
        // A newer version of this page, in another tab, waits for us.
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
