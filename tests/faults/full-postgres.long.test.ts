import { test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { fillDisksOfPostgres } from './full-postgres.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { putOnTrial } from './trial.ts';

const why = whyNoPostgres() ?? (await whyNoSmallDisk());
if (why !== undefined) console.info(`skipped: ${why}`);

test.skipIf(why !== undefined)(
  'PostgreSQL without space, 10 times for its tables and 10 times for its log: nothing acked is lost',
  async () => {
    await putOnTrial({
      promise: 'G5',
      name: 'full disks of PostgreSQL',
      run: (seed) =>
        fillDisksOfPostgres(seed, {
          ...{ people: 10, rooms: 4, roomsEach: 2, window: 4, acksBetween: 500 },
          // 5 s as docs/GUARANTEES.md says; the rest is slack for a slow machine.
          ...{ rounds: { tables: 10, log: 10 }, readyWithinMs: 15_000 },
        }),
    });
  },
);
