import type { Random } from './random.ts';

/** Deals all its items in random order before it deals any of them again. */
export class Deck<T> {
  readonly #items: readonly T[];
  readonly #random: Random;
  #left: T[] = [];

  constructor(items: readonly T[], random: Random) {
    this.#items = items;
    this.#random = random;
  }

  deal(): T {
    if (this.#left.length === 0) this.#left = this.#random.sample(this.#items, this.#items.length);
    const item = this.#left.pop();
    if (item === undefined) throw new Error('the deck is empty');
    return item;
  }
}
