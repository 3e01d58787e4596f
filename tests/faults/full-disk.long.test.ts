import { test } from 'vitest';
import { failFsyncs } from './failing-fsync.ts';
import { fillTheDisk } from './full-disk.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { whyNoTracing } from './storage-trace.ts';
import { putOnTrial } from './trial.ts';

const noDisk = await whyNoSmallDisk();
const noTracing = whyNoTracing();
for (const reason of [noDisk, noTracing]) if (reason !== undefined) console.info(`skipped: ${reason}`);

const CROWD = { people: 10, rooms: 4, window: 4 };

test.skipIf(noDisk !== undefined)(
  'a disk that is full 10 times: ready at most 5 s after there is space again',
  async () => {
    const size = { mebibytes: 160, rounds: 10, acksBetween: 1000, readyWithinMs: 5000 };
    await putOnTrial({
      promise: 'G5',
      name: 'full disk',
      run: (seed) => fillTheDisk(seed, { ...CROWD, ...size }),
    });
  },
);

test.skipIf(noTracing !== undefined)(
  'an fsync that fails 20 times: the process ends, every ack is kept',
  async () => {
    await putOnTrial({
      promise: 'G5',
      name: 'failing fsync',
      run: (seed) => failFsyncs(seed, { ...CROWD, rounds: 20, acksBetween: 1000 }),
    });
  },
);
