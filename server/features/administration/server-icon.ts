/** The picture of the server, by its key. */
import { AppError } from '../../../protocol/errors.ts';
import type { Store } from '../../data/storage/store.ts';
import { FreshValue } from './fresh-value.ts';

export interface ServerIconOptions {
  store: Pick<Store, 'serverIcon' | 'setServerIcon'>;
  /** Unix milliseconds. */
  now: () => number;
}

export class ServerIcon {
  readonly #options: ServerIconOptions;
  readonly #known: FreshValue<string | undefined>;

  constructor(options: ServerIconOptions) {
    const { store, now } = options;
    this.#options = options;
    this.#known = new FreshValue<string | undefined>(undefined, () => store.serverIcon(), now);
  }

  /** Undefined: there is none. Never rejects: without a database it is the last one known. */
  current(): Promise<string | undefined> {
    return this.#known.current();
  }

  /** Null: none any more. Throws `not_found` for a user who is no admin. */
  async set(actorId: number, key: string | null): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.setServerIcon({ actorId, key, now: now() });
    if (outcome === 'not_found') throw new AppError('not_found');
    this.#known.set(key ?? undefined);
  }
}
