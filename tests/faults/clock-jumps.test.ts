import { test } from 'vitest';
import { jumpTheClock } from './clock-jumps.ts';
import { whyNoFakeClock } from './fake-clock.ts';
import { putOnTrial } from './trial.ts';

const reason = whyNoFakeClock();
if (reason !== undefined) console.info(`skipped: ${reason}`);

test.skipIf(reason !== undefined)('clock jumps of an hour are harmless', { timeout: 240_000 }, async () => {
  await putOnTrial({
    promise: 'G12',
    name: 'clock jumps, short',
    run: (seed) =>
      jumpTheClock(seed, { people: 4, rooms: 2, window: 2, jumps: 2, acksBetween: 100, holdMs: 0 }),
  });
});
