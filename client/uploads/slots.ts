import type { Locks } from '../session/token-refresh.ts';

/** Runs tasks, this many at once, in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run(task: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Waits that all end at once. */
export class Pauses {
  readonly #waiting = new Set<() => void>();

  ended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  end(): void {
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }
}

/** Runs a task when no other tab runs one of this name. Never rejects. */
export async function aloneIn(
  locks: Locks | undefined,
  name: string,
  task: () => Promise<void>,
): Promise<void> {
  await (locks === undefined ? task() : locks.request(name, task)).catch(() => {});
}
