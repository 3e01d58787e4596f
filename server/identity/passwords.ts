/** Password hashing: argon2id with OWASP's parameters, off the event loop, and never more of it than there are cores. */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../protocol/errors.ts';

/** `algorithm: 2` is argon2id; the package's enum is const and cannot be imported from isolated modules. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The hash of random bytes that nobody kept, made with the same parameters. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$3HWVW2B2dAzlniFPpgm3eA$BWSz+RvHZGMK2zHhMYjy3sSN6ZFhf8/gKBUvQccnrBc';
/** Beyond so many waiting, or so long, a login is refused instead of being late: a connection that stands still is cut. */
const MAX_WAITING = 256;
const MAX_WAIT_MS = 10_000;

interface Waiting {
  /** Monotonic milliseconds. */
  since: number;
  begin(): void;
  refuse(error: AppError): void;
}

export class Passwords {
  readonly #slots: number;
  readonly #now: () => number;
  #running = 0;
  readonly #waiting: Waiting[] = [];

  /** `now`: monotonic milliseconds. */
  constructor(slots: number = availableParallelism(), now: () => number = () => performance.now()) {
    this.#slots = slots;
    this.#now = now;
  }

  hash(password: string): Promise<string> {
    return this.#withSlot(() => hash(password, ARGON2ID));
  }

  /** Without a `hashed` it takes as long and answers false, so that time does not tell which names exist. */
  async verify(hashed: string | undefined, password: string): Promise<boolean> {
    // The same password makes the same hash input on both sides: NFC.
    const matches = await this.#withSlot(() => verify(hashed ?? DECOY, password.normalize('NFC')));
    return matches && hashed !== undefined;
  }

  async #withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#slots) this.#running++;
    else await this.#slot();
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #slot(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw busy();
    return new Promise((begin, refuse) => this.#waiting.push({ since: this.#now(), begin, refuse }));
  }

  /** The slot goes to who has waited longest, and not in vain yet; or it is given back. */
  #handOn(): void {
    const oldest = this.#now() - MAX_WAIT_MS;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.since >= oldest) return next.begin();
      next.refuse(busy());
    }
    this.#running--;
  }
}

function busy(): AppError {
  return new AppError('service_unavailable', { retryAfterMs: 2000 });
}
