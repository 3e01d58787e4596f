/** The name of the server, as every process knows it. */
import { DEFAULT_SERVER_NAME } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import type { Store } from '../../data/storage/store.ts';
import { FreshValue } from './fresh-value.ts';

export interface ServerNameOptions {
  store: Pick<Store, 'serverName' | 'setServerName'>;
  /** Unix milliseconds. */
  now: () => number;
}

export class ServerName {
  readonly #options: ServerNameOptions;
  readonly #name: FreshValue<string>;

  constructor(options: ServerNameOptions) {
    const { store, now } = options;
    this.#options = options;
    const load = async () => (await store.serverName()) ?? DEFAULT_SERVER_NAME;
    this.#name = new FreshValue(DEFAULT_SERVER_NAME, load, now);
  }

  /** Never rejects: without a database it is the last one known. */
  async current(): Promise<string> {
    return await this.#name.current();
  }

  /** Null: the default again. Throws `not_found` for a user who is no admin. `actorId` null: the operator. */
  async set(actorId: number | null, name: string | null): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.setServerName({ actorId, name, now: now() });
    if (outcome === 'not_found') throw new AppError('not_found');
    this.#name.set(name ?? DEFAULT_SERVER_NAME);
  }
}
