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

  /**
   * What `look` says of the first item of which it says something. `prepare` goes before the look, in steps: between
   * any two of them others may have their turn.
   */
  async first<Item, Said>(
    items: readonly Item[],
    look: (item: Item) => Said | undefined,
    prepare: (item: Item) => Iterable<unknown> = () => [],
  ): Promise<Said | undefined> {
    const steps = stepsOf(items, look, prepare);
    for (;;) {
      const step = await this.#take(() => {
        const until = this.#now() + SLICE_MS;
        let last = steps.next();
        while (!last.done && this.#now() < until) last = steps.next();
        return last;
      });
      if (step.done) return step.value;
    }
  }

  #take<T>(slice: () => T): Promise<T> {
    const result = this.#last.then(() => otherWork()).then(slice);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function* stepsOf<Item, Said>(
  items: readonly Item[],
  look: (item: Item) => Said | undefined,
  prepare: (item: Item) => Iterable<unknown>,
): Generator<void, Said | undefined> {
  for (const [index, item] of items.entries()) {
    if (index > 0) yield;
    for (const _ of prepare(item)) yield;
    const said = look(item);
    if (said !== undefined) return said;
  }
  return undefined;
}
