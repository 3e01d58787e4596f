/** Whether the database takes writes, checked at most once a second, however often somebody asks. */
import type { Store } from './store.ts';

export const CHECK_EVERY_MS = 1000;
const CHECK_TIMEOUT_MS = 2000;

/** Returns a function that resolves to whether it does; no response within two seconds means no. */
export function createHealthCheck(store: Store): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<boolean> = Promise.resolve(false);
  return () => {
    const now = performance.now();
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now;
      latest = Promise.race([
        store.check().then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref()),
      ]);
    }
    return latest;
  };
}
