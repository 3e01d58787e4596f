/**
 * The order of large answers. Writing one as JSON takes some milliseconds of the event loop, on which everybody's
 * messages wait, so there is one, or one slice of one, in a turn of the loop, and the loop has as long for everything
 * else before the next.
 */

/** A longer turn was slow because of something else. */
const MAX_REST_MS = 20;

export class LargeTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /**
   * Resolves when a large answer, or a slice of one, may be made: at once, unless others are before it. Make it in that
   * same turn.
   */
  async next(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    const from = performance.now();
    setImmediate(() => {
      const ms = Math.min(MAX_REST_MS, performance.now() - from);
      setTimeout(() => this.#goOn(), ms);
    });
  }

  #goOn(): void {
    this.#isTaken = false;
    this.#waiting.shift()?.();
  }
}

/** Those of this process: it has one event loop. */
export const largeTurns = new LargeTurns();
