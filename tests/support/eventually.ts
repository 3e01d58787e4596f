/** Waits for a change that no event announces, such as a count in a list. A slow machine must not fail a test. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` until it returns a value that is not `undefined`; throws after `withinMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not seen within ${withinMs} ms`);
    await sleep(25);
  }
}
