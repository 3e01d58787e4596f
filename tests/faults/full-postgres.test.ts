import { test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { fillDisksOfPostgres } from './full-postgres.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { putOnTrial } from './trial.ts';

const why = whyNoPostgres() ?? (await whyNoSmallDisk());
if (why !== undefined) console.info(`skipped: ${why}`);

test.skipIf(why !== undefined)(
  'while the disk of PostgreSQL is full, sends are refused as retryable, /ready is 503, and reads work',
  { timeout: 240_000 },
  async () => {
    await putOnTrial({
      promise: 'G5',
      name: 'full disk of PostgreSQL, short',
      run: (seed) =>
        fillDisksOfPostgres(seed, {
          ...{ people: 4, rooms: 2, window: 2, acksBetween: 100 },
          ...{ rounds: { tables: 1, log: 0 }, readyWithinMs: Number.POSITIVE_INFINITY },
        }),
    });
  },
);
