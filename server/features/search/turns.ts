/** Work of the search on the event loop, in slices between which others have it. */
import { setImmediate as otherWork } from 'node:timers/promises';

const SLICE_MS = 1;

/** However many have work, one slice of one of them is done in each round of the event loop; they take turns. */
export class Turns {
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /** `now`: in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** What `look` says of the first item of which it says something. */
  async first<Item, Said>(
    items: readonly Item[],
    look: (item: Item) => Said | undefined,
  ): Promise<Said | undefined> {
    let said: Said | undefined;
    for (let next = 0; next < items.length && said === undefined; )
      await this.#take(() => {
        const until = this.#now() + SLICE_MS;
        do {
          const item = items[next++];
          if (item !== undefined) said = look(item);
        } while (said === undefined && next < items.length && this.#now() < until);
      });
    return said;
  }

  #take(slice: () => void): Promise<void> {
    const result = this.#last.then(() => otherWork()).then(slice);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
