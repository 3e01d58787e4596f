/**
 * What a read found last; undefined: nothing yet. Each call begins the next read, so that a scrape shows what the one
 * before has begun, and never waits for a database that is away.
 */
export function latestOf<T>(read: () => Promise<T>): () => T | undefined {
  let found: T | undefined;
  let isReading = false;
  return () => {
    if (!isReading) {
      isReading = true;
      read()
        .then(
          (now) => {
            found = now;
          },
          () => undefined,
        )
        .finally(() => {
          isReading = false;
        });
    }
    return found;
  };
}
