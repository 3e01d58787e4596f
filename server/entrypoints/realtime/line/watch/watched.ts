/** The people whom one line watches. */
import type { Watcher, Watching } from './watching.ts';

export class Watched {
  readonly #watcher: Watcher;
  readonly #watching: Watching;
  #userIds: number[] = [];
  /** The list that is to be watched, while one is being read. */
  #wanted: ReadonlyMap<number, number> | null = null;
  /** The latest list, with the versions that the client had then. */
  #latest: ReadonlyMap<number, number> = new Map();
  /** What is being read for an earlier round is not sent. */
  #round = 0;

  constructor(watcher: Watcher, watching: Watching) {
    this.#watcher = watcher;
    this.#watching = watching;
  }

  /**
   * Replaces the list: users, and the version of their profile that the client has. Of lists that come while one is
   * being read, the last one counts.
   */
  async replace(versions: ReadonlyMap<number, number>): Promise<void> {
    const isBusy = this.#wanted !== null;
    this.#wanted = versions;
    this.#latest = versions;
    if (isBusy) return;
    try {
      for (let wanted = versions; this.#watcher.isOpen(); wanted = this.#wanted) {
        this.clear();
        this.#userIds = [...wanted.keys()];
        const round = this.#round;
        await this.#watching.watch(this.#watcher, wanted, () => round === this.#round);
        if (wanted === this.#wanted) break;
      }
    } finally {
      this.#wanted = null;
      if (!this.#watcher.isOpen()) this.clear();
    }
  }

  /** What the user may see has changed: the same people are watched anew, as far as the user may see them. */
  async again(): Promise<void> {
    this.clear();
    await this.replace(new Map(this.#wanted ?? this.#latest));
  }

  clear(): void {
    this.#round++;
    this.#watching.unwatch(this.#watcher, this.#userIds);
  }
}
