/** Whether this process runs a consumer: it takes the lease, says again that it has it, and gives it back. */
import { randomUUID } from 'node:crypto';
import type { Now } from '../../platform/clock.ts';
import type { Cursors, Lease } from './work.ts';

export interface LeaseHolderParts {
  cursors: Pick<Cursors, 'lease' | 'release'>;
  lease: Lease;
  now: Now;
  /** Other processes use the database, too. */
  isShared: boolean;
}

/** `taken` and `lost`: since it was last asked. */
export type LeaseState = 'taken' | 'held' | 'lost' | 'not held';

export class LeaseHolder {
  readonly #parts: LeaseHolderParts;
  readonly #holder = randomUUID();
  #isHeld = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: LeaseHolderParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Asks the database for the lease, at most once in `renewMs`. A process alone needs to ask until it has it. */
  async keep(): Promise<LeaseState> {
    const { cursors, lease, isShared } = this.#parts;
    const isRecent = performance.now() - this.#askedAt < lease.renewMs;
    if (this.#isHeld && (!isShared || isRecent)) return 'held';
    if (!this.#isHeld && isRecent) return 'not held';
    const at = performance.now();
    const wasHeld = this.#isHeld;
    const now = this.#parts.now();
    this.#isHeld = await cursors.lease({
      ...{ holder: this.#holder, now, until: now + lease.heldMs, isAlone: !isShared },
    });
    this.#askedAt = at;
    if (this.#isHeld) return wasHeld ? 'held' : 'taken';
    return wasHeld ? 'lost' : 'not held';
  }

  /** A cursor says that another process has had the lease. It is asked for anew at once. */
  lose(): void {
    this.#isHeld = false;
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  /** Lets another process go on at once. */
  async release(): Promise<void> {
    const { cursors, now } = this.#parts;
    this.#isHeld = false;
    await cursors.release({ holder: this.#holder, now: now() });
  }
}
