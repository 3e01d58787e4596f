/** Where a consumer is in the logs of rooms that were busy lately; of the others, the cursors have it. */
import type { Cursors } from './work.ts';

const STORE_MS = 5000;
/** Rooms whose cursors move in one command. */
const MOVES = 200;

interface Place {
  /** Everything up to this number was handled. */
  at: number;
  /** Up to this number it is stored that it was. */
  stored: number;
}

export class Places {
  readonly #cursors: Pick<Cursors, 'place' | 'move'>;
  readonly #known = new Map<number, Place>();
  readonly #now: () => number;
  #storedAt: number;

  constructor(cursors: Pick<Cursors, 'place' | 'move'>, now: () => number = () => performance.now()) {
    this.#cursors = cursors;
    this.#now = now;
    this.#storedAt = now();
  }

  /** Undefined: the room was not busy lately. */
  get(roomId: number): Place | undefined {
    return this.#known.get(roomId);
  }

  /** Reads the cursor of a room that was not busy lately. Undefined: there is no such room. */
  async find(roomId: number): Promise<Place | undefined> {
    const known = this.#known.get(roomId);
    if (known) return known;
    const found = await this.#cursors.place(roomId);
    if (!found) return undefined;
    const place = { at: found.at, stored: found.at };
    this.#known.set(roomId, place);
    return place;
  }

  /** The cursor has the room's place again. */
  forget(roomId: number): void {
    this.#known.delete(roomId);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Stores them every 5 seconds at most: rooms that are not busy any more are forgotten. */
  async storeSometimes(isBusy: (roomId: number) => boolean): Promise<void> {
    if (this.#now() - this.#storedAt >= STORE_MS) await this.store(isBusy);
  }

  /** Stores how far rooms have come in which nothing was to do, and forgets those that are not busy any more. */
  async store(isBusy: (roomId: number) => boolean): Promise<void> {
    this.#storedAt = this.#now();
    const moves: { roomId: number; from: number; to: number }[] = [];
    for (const [roomId, { at, stored }] of this.#known) {
      if (at > stored) moves.push({ roomId, from: stored, to: at });
      else if (!isBusy(roomId)) this.#known.delete(roomId);
    }
    for (let start = 0; start < moves.length; start += MOVES) {
      const some = moves.slice(start, start + MOVES);
      const lost = await this.#cursors.move(some);
      for (const { roomId, to } of some) {
        const place = this.#known.get(roomId);
        if (lost.includes(roomId)) this.#known.delete(roomId);
        else if (place) place.stored = to;
      }
    }
  }
}
