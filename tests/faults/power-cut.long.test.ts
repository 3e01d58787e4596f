import { test } from 'vitest';
import { cutThePower } from './power-cut.ts';
import { whyNoTracing } from './storage-trace.ts';
import { putOnTrial } from './trial.ts';

const reason = whyNoTracing();
if (reason !== undefined) console.info(`skipped: ${reason}`);

test.skipIf(reason !== undefined)(
  'a power cut at any of 1 000 moments leaves every ack on the disk',
  async () => {
    await putOnTrial({
      promise: 'G1',
      name: 'power cut',
      run: (seed) => cutThePower(seed, { people: 20, rooms: 10, window: 4, acks: 10_000, cuts: 1000 }),
    });
  },
);
