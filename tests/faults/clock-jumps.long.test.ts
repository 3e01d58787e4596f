import { test } from 'vitest';
import { jumpTheClock } from './clock-jumps.ts';
import { whyNoFakeClock } from './fake-clock.ts';
import { putOnTrial } from './trial.ts';

const reason = whyNoFakeClock();
if (reason !== undefined) console.info(`skipped: ${reason}`);

test.skipIf(reason !== undefined)(
  'clock jumps of up to an hour, a dozen of them, over two minutes',
  async () => {
    await putOnTrial({
      promise: 'G12',
      name: 'clock jumps',
      run: (seed) =>
        jumpTheClock(seed, { people: 20, rooms: 5, window: 2, jumps: 12, acksBetween: 500, holdMs: 10_000 }),
    });
  },
);
