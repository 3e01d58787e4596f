/** The first admin: while there is none, a one-time code in the log makes its user an admin. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';

interface SetupParts {
  store: Store;
  bus: Bus;
  /** What the code is made with, besides what the database has: the database alone does not tell it. */
  key: Uint8Array;
  /** Whether other processes use the database, too. */
  isShared: boolean;
  /** Unix milliseconds. */
  now: () => number;
}

/** The length of a code, and of what it is made of. */
const BYTES = 16;

export class Setup {
  readonly #parts: SetupParts;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  /**
   * A code of 128 bits, while there is no admin. A process that runs alone makes a new one at each start. Processes
   * that share a database have one, as a request with it may come to any of them: the first makes it, and each logs it.
   * Any grant of the role ends it for ever; the next time that there is no admin has another code.
   */
  async begin(): Promise<string | undefined> {
    const { store, isShared } = this.#parts;
    if (await store.hasAdmin()) return undefined;
    const made = randomBytes(BYTES).toString('base64url');
    const nonce = await store.beginSetup({ nonce: made, isRenewed: !isShared }).catch(unlessUnavailable);
    return nonce && this.#codeOf(nonce);
  }

  /** Makes the user the first admin. Throws `not_found` for a wrong or spent code, and when there is an admin. */
  async claim(code: string, userId: number): Promise<void> {
    const { store, bus, now } = this.#parts;
    const nonce = await store.setupNonce();
    if (nonce === undefined || !isSame(code, this.#codeOf(nonce))) throw new AppError('not_found');
    const claimed = await store.claimSetup({ userId, nonce, now: now() });
    if (!claimed) throw new AppError('not_found');
    bus.publish({ type: 'user_log', userId, seq: claimed.userSeq, userRole: 'admin' });
    const own = await store.ownProfile(userId);
    if (own) bus.publish({ type: 'profile', userId, version: own.profile.version });
  }

  #codeOf(nonce: string): string {
    const code = createHmac('sha256', this.#parts.key).update(nonce).digest();
    return code.subarray(0, BYTES).toString('base64url');
  }
}

/** The server starts on a full disk, too: then there is no code until the next start. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'service_unavailable') return undefined;
  throw error;
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
