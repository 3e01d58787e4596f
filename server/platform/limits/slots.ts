/** A bound on how much each key holds at a time, such as the sockets of each address. */
export interface SlotTable {
  /** Takes a slot of `key`; false when all are taken, unless it is exempt. Every slot taken needs one `giveBack`. */
  tryTake(key: string, isExempt?: boolean): boolean | Promise<boolean>;
  giveBack(key: string): void;
}

/** Makes the table of what has this name; `max`: slots of each key. */
export type MakeSlots = (name: string, max: number) => SlotTable;

/** The slots of a process that runs alone. */
export class Slots implements SlotTable {
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

  tryTake(key: string, isExempt = false): boolean {
    const count = this.#taken.get(key) ?? 0;
    if (count >= this.#max && !isExempt) return false;
    this.#taken.set(key, count + 1);
    return true;
  }

  giveBack(key: string): void {
    const count = this.#taken.get(key) ?? 0;
    if (count > 1) this.#taken.set(key, count - 1);
    else this.#taken.delete(key);
  }
}
