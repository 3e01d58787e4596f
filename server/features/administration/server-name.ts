/** The name of the server, as every process knows it: read again when what it knows is a few seconds old. */
import { DEFAULT_SERVER_NAME } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import type { Store } from '../../data/storage/store.ts';

/** A change by another process is seen after this time. It has no frame on the bus: nothing depends on the name. */
const FRESH_MS = 5000;

export interface ServerNameOptions {
  store: Pick<Store, 'serverName' | 'setServerName'>;
  /** Unix milliseconds. */
  now: () => number;
}

export class ServerName {
  readonly #options: ServerNameOptions;
  #known = DEFAULT_SERVER_NAME;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Counts the changes that were made here: a read from before one of them is out of date. */
  #changes = 0;

  constructor(options: ServerNameOptions) {
    this.#options = options;
  }

  /** Never rejects: without a database it is the last one known. */
  async current(): Promise<string> {
    if (Math.abs(this.#options.now() - this.#readAt) >= FRESH_MS) {
      this.#reading ??= this.#read();
      await this.#reading;
    }
    return this.#known;
  }

  /** Null: the default again. Throws `not_found` for a user who is no admin. `actorId` null: the operator. */
  async set(actorId: number | null, name: string | null): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.setServerName({ actorId, name, now: now() });
    if (outcome === 'not_found') throw new AppError('not_found');
    this.#changes++;
    this.#keep(name);
  }

  async #read(): Promise<void> {
    const before = this.#changes;
    try {
      const name = await this.#options.store.serverName();
      if (this.#changes === before) this.#keep(name ?? null);
    } catch {
      // It is asked for again with the next one who wants it. What else such a request needs reports the failure.
    } finally {
      this.#reading = undefined;
    }
  }

  #keep(name: string | null): void {
    this.#known = name ?? DEFAULT_SERVER_NAME;
    this.#readAt = this.#options.now();
  }
}
