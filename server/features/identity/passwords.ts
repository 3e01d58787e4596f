/** Password hashing: argon2id with OWASP's parameters, off the event loop, one at a time for each core. */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../../protocol/errors.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { DECOY } from '../../rules/decoy-hash.ts';

/** `algorithm: 2` is argon2id; the package's enum is const and cannot be imported from isolated modules. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** With more waiting, or after a longer wait, a hash is refused: a connection without traffic is closed before long. */
const MAX_WAITING = 256;
const MAX_WAIT_MS = 10_000;

interface Waiting {
  /** Monotonic milliseconds. */
  since: number;
  begin(): void;
  refuse(error: AppError): void;
}

/** Both methods throw `service_unavailable` when too much is waiting. Client addresses take turns in the queue. */
export class Passwords {
  readonly #slots: number;
  readonly #now: () => number;
  #running = 0;
  readonly #waiting = new FairQueue<Waiting>(MAX_WAITING);

  /** `now`: monotonic milliseconds. */
  constructor(slots: number = availableParallelism(), now: () => number = () => performance.now()) {
    this.#slots = slots;
    this.#now = now;
  }

  hash(password: string, addressKey: string): Promise<string> {
    return this.#withSlot(addressKey, () => hash(password, ARGON2ID));
  }

  /** Without `hashed` it takes as long and returns false, so that the time does not reveal which names exist. */
  async verify(hashed: string | undefined, password: string, addressKey: string): Promise<boolean> {
    // Passwords are hashed in NFC (protocol/text.ts).
    const matches = await this.#withSlot(addressKey, () =>
      verify(hashed ?? DECOY, password.normalize('NFC')),
    );
    return matches && hashed !== undefined;
  }

  async #withSlot<T>(addressKey: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#slots) this.#running++;
    else await this.#slot(addressKey);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #slot(addressKey: string): Promise<void> {
    return new Promise((begin, refuse) => {
      this.#waiting.push(addressKey, { since: this.#now(), begin, refuse })?.refuse(busy());
    });
  }

  /** Passes the slot on to the next that has not waited too long, or frees it. */
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
