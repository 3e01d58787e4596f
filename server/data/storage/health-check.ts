/** Whether the database takes writes, checked at most once a second, however often somebody asks. */
import type { Store } from './store.ts';

export const CHECK_EVERY_MS = 1000;
const CHECK_TIMEOUT_MS = 2000;

export interface HealthCheck {
  /** Whether it does; no response within two seconds means no. */
  check(): Promise<boolean>;
  /** What the latest check found. For metrics, which must not wait for a database that is away. */
  readonly isHealthy: boolean;
}

export function createHealthCheck(store: Store): HealthCheck {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<boolean> = Promise.resolve(false);
  // The start has written to the database.
  let isHealthy = true;
  return {
    get isHealthy() {
      return isHealthy;
    },
    check() {
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
        void latest.then((found) => {
          isHealthy = found;
        });
      }
      return latest;
    },
  };
}
