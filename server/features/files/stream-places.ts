/** How many files are sent at once: of all, and to one address, so that others have places left. Beyond it, they wait. */
import { AppError } from '../../../protocol/errors.ts';

const PLACES = 200;
const PLACES_PER_ADDRESS = 16;
const MAX_WAITING = 1000;
const PATIENCE_MS = 10_000;
const RETRY_MS = 1000;

interface Waiting {
  address: string;
  begin(): void;
}

export class StreamPlaces {
  readonly #perAddress = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  /** Resolves with what gives the place back, in turn. Throws `too_many_requests` after ten seconds. */
  async enter(address: string): Promise<() => void> {
    if (!this.#isFree(address)) await this.#wait(address);
    else this.#take(address);
    let isTaken = true;
    return () => {
      if (isTaken) this.#leave(address);
      isTaken = false;
    };
  }

  #isFree(address: string): boolean {
    return this.#taken < PLACES && (this.#perAddress.get(address) ?? 0) < PLACES_PER_ADDRESS;
  }

  #take(address: string): void {
    this.#taken++;
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
  }

  #wait(address: string): Promise<void> {
    const tooMany = new AppError('too_many_requests', { retryAfterMs: RETRY_MS });
    if (this.#waiting.size >= MAX_WAITING) throw tooMany;
    return new Promise((resolve, reject) => {
      const waiting = {
        address,
        begin: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#take(address);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(tooMany);
      }, PATIENCE_MS);
      this.#waiting.add(waiting);
    });
  }

  #leave(address: string): void {
    this.#taken--;
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
    for (const waiting of this.#waiting) {
      if (this.#taken >= PLACES) return;
      if (this.#isFree(waiting.address)) waiting.begin();
    }
  }
}
