import { describe, test } from 'vitest';
import { failFsyncs } from './failing-fsync.ts';
import { fillTheDisk, startOnFullDisk } from './full-disk.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { whyNoTracing } from './storage-trace.ts';
import { putOnTrial } from './trial.ts';

const noDisk = await whyNoSmallDisk();
const noTracing = whyNoTracing();
for (const reason of [noDisk, noTracing]) if (reason !== undefined) console.info(`skipped: ${reason}`);

const CROWD = { people: 4, rooms: 2, window: 4 };

describe('a full disk or failing fsync never acks and never corrupts', { timeout: 240_000 }, () => {
  test.skipIf(noDisk !== undefined)(
    'full: sends are refused as retryable, reads go on, it recovers by itself',
    async () => {
      const size = { mebibytes: 64, rounds: 2, acksBetween: 200, readyWithinMs: Number.POSITIVE_INFINITY };
      await putOnTrial({
        promise: 'G5',
        name: 'full disk, short',
        run: (seed) => fillTheDisk(seed, { ...CROWD, ...size }),
      });
    },
  );

  test.skipIf(noDisk !== undefined)(
    'a start on a full disk ends with a sentence that says so, and loses nothing',
    async () => await startOnFullDisk(),
  );

  test.skipIf(noTracing !== undefined)('EIO of an fsync: the process ends, every ack is kept', async () => {
    await putOnTrial({
      promise: 'G5',
      name: 'failing fsync, short',
      run: (seed) => failFsyncs(seed, { ...CROWD, rounds: 2, acksBetween: 200 }),
    });
  });
});
