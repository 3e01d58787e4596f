/**
 * Finds rooms that have gone on without an announcement: at the start, where there are more rooms with news than are
 * remembered, and every few seconds where other processes may post. One process alone hears of everything after its
 * start.
 */
import type { News } from './news.ts';
import type { Places } from './places.ts';
import type { Cursors } from './work.ts';

export const SWEEP_MS = 5000;
/** Where there was more than is remembered, this much later the rest is looked for. */
const REST_MS = 100;
/** Rooms that one statement visits. */
const ROOMS = 1000;

export interface SweepParts {
  cursors: Pick<Cursors, 'behind'>;
  places: Places;
  /** Gets the rooms that are found. */
  news: News;
  /** Rooms with news that are remembered. */
  maxRooms: number;
  /** Other processes use the database, too. */
  isShared: boolean;
}

export class Sweep {
  readonly #parts: SweepParts;
  /** When it is to begin. */
  #at = Number.NEGATIVE_INFINITY;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  get isDue(): boolean {
    return performance.now() >= this.#at;
  }

  /** Makes it due at once: rooms may have gone on that nobody remembers. */
  request(): void {
    this.#at = Number.NEGATIVE_INFINITY;
  }

  /**
   * Goes through all rooms, until `signal` ends it or more have gone on than are remembered. Where it fails it is due
   * again: nobody else would tell of a room that it has not come to.
   */
  async run(signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    this.#at = Number.POSITIVE_INFINITY;
    try {
      const isWhole = await this.#visit(signal);
      if (!isWhole) this.#at = begun + REST_MS;
      else if (this.#parts.isShared) this.#at = Math.min(this.#at, begun + SWEEP_MS);
    } catch (error) {
      this.request();
      throw error;
    }
  }

  /** Page by page. False: more have gone on than are remembered. */
  async #visit(signal: AbortSignal): Promise<boolean> {
    const { cursors, places, news, maxRooms } = this.#parts;
    for (let after: number | null = 0; after !== null && !signal.aborted; ) {
      const page = await cursors.behind({ after, limit: ROOMS });
      for (const { roomId, at, head } of page.rooms) {
        const known = places.get(roomId);
        if (known && known.stored !== at) places.forget(roomId);
        if (head > (places.get(roomId)?.at ?? at) && news.size < maxRooms) news.set(roomId, head);
      }
      if (news.size >= maxRooms) return false;
      after = page.next;
    }
    return true;
  }
}
