/** Keeps all frames that it receives, in order, and waits for later ones. */

const WAIT_MS = 20_000;

export interface Closing {
  code: number;
  reason: string;
}

interface Typed {
  type: string;
}

export type OfType<F extends Typed, T extends F['type']> = Extract<F, { type: T }>;

export class Listener<F extends Typed> {
  readonly frames: F[] = [];
  #violation: Error | null = null;
  #closing: Closing | null = null;
  readonly #waiters = new Set<() => void>();

  /** The number of frames so far. Pass it to `waitFor` to consider only later ones. */
  mark(): number {
    return this.frames.length;
  }

  /** Waits for the first frame of this type, from frame number `from` on, for which `matches` returns true. */
  async waitFor<T extends F['type']>(
    type: T,
    matches: (frame: OfType<F, T>) => boolean = () => true,
    from = 0,
  ): Promise<OfType<F, T>> {
    let next = from;
    return await this.until(`a ${type} frame`, () => {
      for (; next < this.frames.length; next++) {
        const frame = this.frames[next];
        if (frame?.type === type && matches(frame as OfType<F, T>)) return frame as OfType<F, T>;
      }
      return undefined;
    });
  }

  /** Waits until `count` frames of this type have arrived and returns all of them. */
  async waitForCount<T extends F['type']>(type: T, count: number): Promise<OfType<F, T>[]> {
    return await this.until(`${count} ${type} frames`, () => {
      const found = this.of(type);
      return found.length >= count ? found : undefined;
    });
  }

  /** All frames of this type so far. */
  of<T extends F['type']>(type: T, from = 0): OfType<F, T>[] {
    return this.frames.slice(from).filter((frame): frame is OfType<F, T> => frame.type === type);
  }

  /** Calls `find` at every frame until it returns a value; rejects when the connection ends. */
  async until<T>(what: string, find: () => T | undefined): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timeout);
        this.#waiters.delete(look);
        settle();
      };
      const fail = (why: string): void => {
        const tail = JSON.stringify(this.frames.slice(-5)).slice(-2000);
        finish(() => reject(new Error(`waited for ${what}: ${why}; the last frames: ${tail}`)));
      };
      const look = (): void => {
        const violation = this.#violation;
        const found = find();
        if (violation !== null) finish(() => reject(violation));
        else if (found !== undefined) finish(() => resolve(found));
        else if (this.#closing !== null) fail(`closed with ${this.#closing.code} ${this.#closing.reason}`);
      };
      const timeout = setTimeout(() => fail(`nothing within ${WAIT_MS} ms`), WAIT_MS);
      this.#waiters.add(look);
      look();
    });
  }

  protected hear(frame: F): void {
    this.frames.push(frame);
    this.#wake();
  }

  /** The other side broke the protocol: everything that waits rejects. */
  protected violate(what: string): void {
    this.#violation ??= new Error(what);
    this.#wake();
  }

  protected end(closing: Closing): void {
    this.#closing = closing;
    this.#wake();
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
  }
}
