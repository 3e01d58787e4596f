/** The first admin: while there is none, a one-time code in the log makes its user an admin. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../protocol/errors.ts';
import type { Bus } from '../bus/bus.ts';
import type { Store } from '../storage/store.ts';

interface SetupParts {
  store: Store;
  bus: Bus;
  /** A key that all processes of the database derive from their secret; undefined in a process that runs alone. */
  sharedKey: Uint8Array | undefined;
}

export class Setup {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #sharedKey: Uint8Array | undefined;
  #code: string | undefined;

  constructor({ store, bus, sharedKey }: SetupParts) {
    this.#store = store;
    this.#bus = bus;
    this.#sharedKey = sharedKey;
  }

  /**
   * A code of 128 bits, while there is no admin. A process that runs alone makes a new one at each start. Processes that
   * share a database have one code, because a request with it may come to any of them.
   */
  async begin(): Promise<string | undefined> {
    if (!(await this.#store.hasAdmin()))
      this.#code = Buffer.from(this.#sharedKey?.subarray(0, 16) ?? randomBytes(16)).toString('base64url');
    return this.#code;
  }

  /** Makes the user the first admin. Throws `not_found` for a wrong or spent code, and when there is an admin. */
  async claim(code: string, userId: number): Promise<void> {
    if (this.#code === undefined || !isSame(code, this.#code)) throw new AppError('not_found');
    const isGranted = await this.#store.grantAdmin({ userId, isForced: false });
    this.#code = undefined;
    if (!isGranted) throw new AppError('not_found');
    const own = await this.#store.ownProfile(userId);
    if (own) this.#bus.publish({ type: 'profile', userId, version: own.profile.version });
  }
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
