/**
 * How many files are sent at once: of all, to one address, and to one person, who may have many addresses. So others have
 * places left. Beyond it, they wait.
 */
import { AppError } from '../../../protocol/errors.ts';

const PLACES = 200;
const PLACES_PER_ADDRESS = 16;
/** Three devices of somebody, each with all places of its address. */
const PLACES_PER_PERSON = 48;
const MAX_WAITING = 1000;
const PATIENCE_MS = 10_000;
const RETRY_MS = 1000;

/** An address or a person, and how many places it may have. */
interface Taker {
  key: string;
  most: number;
}

interface Waiting {
  takers: readonly Taker[];
  begin(): void;
}

export class StreamPlaces {
  readonly #perTaker = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  /**
   * Resolves with what gives the place back, in turn. Throws `too_many_requests` after ten seconds. `userId`: none for
   * somebody who is not signed in.
   */
  async enter(address: string, userId?: number): Promise<() => void> {
    const takers: Taker[] = [{ key: `address ${address}`, most: PLACES_PER_ADDRESS }];
    if (userId !== undefined) takers.push({ key: `person ${userId}`, most: PLACES_PER_PERSON });
    if (!this.#isFree(takers)) await this.#wait(takers);
    else this.#take(takers);
    let isTaken = true;
    return () => {
      if (isTaken) this.#leave(takers);
      isTaken = false;
    };
  }

  #isFree(takers: readonly Taker[]): boolean {
    return this.#taken < PLACES && takers.every(({ key, most }) => (this.#perTaker.get(key) ?? 0) < most);
  }

  #take(takers: readonly Taker[]): void {
    this.#taken++;
    for (const { key } of takers) this.#perTaker.set(key, (this.#perTaker.get(key) ?? 0) + 1);
  }

  #wait(takers: readonly Taker[]): Promise<void> {
    const tooMany = new AppError('too_many_requests', { retryAfterMs: RETRY_MS });
    if (this.#waiting.size >= MAX_WAITING) throw tooMany;
    return new Promise((resolve, reject) => {
      const waiting = {
        takers,
        begin: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#take(takers);
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

  #leave(takers: readonly Taker[]): void {
    this.#taken--;
    for (const { key } of takers) {
      const left = (this.#perTaker.get(key) ?? 1) - 1;
      if (left > 0) this.#perTaker.set(key, left);
      else this.#perTaker.delete(key);
    }
    for (const waiting of this.#waiting) {
      if (this.#taken >= PLACES) return;
      if (this.#isFree(waiting.takers)) waiting.begin();
    }
  }
}
