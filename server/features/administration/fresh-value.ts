/** What the database has, as a process knows it: read again when what it knows is a few seconds old. */

/** A change by another process is seen after this time. It has no frame on the bus: nothing depends on the value. */
const FRESH_MS = 5000;

export class FreshValue<T> {
  readonly #load: () => Promise<T>;
  /** Unix milliseconds. */
  readonly #now: () => number;
  #known: T;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Counts the changes that were made here: a read from before one of them is out of date. */
  #changes = 0;

  constructor(first: T, load: () => Promise<T>, now: () => number) {
    this.#known = first;
    this.#load = load;
    this.#now = now;
  }

  /** Never rejects: without a database it is the last one known. */
  async current(): Promise<T> {
    if (Math.abs(this.#now() - this.#readAt) >= FRESH_MS) {
      await (this.#reading ?? this.#begin());
    }
    return this.#known;
  }

  /** It was changed here, to this. */
  set(value: T): void {
    this.#changes++;
    this.#keep(value);
  }

  /** It was changed here: the next one who wants it reads it. */
  forget(): void {
    this.#changes++;
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#reading = undefined;
  }

  #begin(): Promise<void> {
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const before = this.#changes;
    try {
      const value = await this.#load();
      if (this.#changes === before) this.#keep(value);
    } catch {
      // It is asked for again with the next one who wants it. What else such a request needs reports the failure.
    }
  }

  #keep(value: T): void {
    this.#known = value;
    this.#readAt = this.#now();
  }
}
