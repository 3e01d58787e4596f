/** A bound on how much each key holds at a time, e.g. each address's sockets. */
export class Slots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param max Slots of each key. */
  constructor(max: number) {
    this.#max = max;
  }

  /** How many keys hold something. */
  get size(): number {
    return this.#taken.size;
  }

  /** Takes a slot of `key`; false when all of them are taken. Every slot taken needs one `giveBack`. */
  tryTake(key: string): boolean {
    const count = this.#taken.get(key) ?? 0;
    if (count >= this.#max) return false;
    this.#taken.set(key, count + 1);
    return true;
  }

  giveBack(key: string): void {
    const count = this.#taken.get(key) ?? 0;
    if (count > 1) this.#taken.set(key, count - 1);
    else this.#taken.delete(key);
  }
}
