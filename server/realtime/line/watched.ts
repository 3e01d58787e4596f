/** The people whom one line watches. */
import type { Watcher, Watching } from './watching.ts';

export class Watched {
  readonly #watcher: Watcher;
  readonly #watching: Watching;
  #userIds: number[] = [];
  /** The list that is to be watched, while one is being read. */
  #wanted: ReadonlyMap<number, number> | null = null;

  constructor(watcher: Watcher, watching: Watching) {
    this.#watcher = watcher;
    this.#watching = watching;
  }

  /**
   * Replaces the list: users, and the version of their profile that the client has. Of lists that come while one is being
   * read, the last one counts.
   */
  async replace(versions: ReadonlyMap<number, number>): Promise<void> {
    const isBusy = this.#wanted !== null;
    this.#wanted = versions;
    if (isBusy) return;
    try {
      for (let wanted = versions; this.#watcher.isOpen(); wanted = this.#wanted) {
        this.clear();
        this.#userIds = [...wanted.keys()];
        await this.#watching.watch(this.#watcher, wanted);
        if (wanted === this.#wanted) break;
      }
    } finally {
      this.#wanted = null;
      if (!this.#watcher.isOpen()) this.clear();
    }
  }

  clear(): void {
    this.#watching.unwatch(this.#watcher, this.#userIds);
  }
}
