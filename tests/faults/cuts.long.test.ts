import { test } from 'vitest';
import { cutAtRandom } from './cuts.ts';
import { putOnTrial } from './trial.ts';

test('received = history: 200 clients cut at random while 100 000 messages flow, one away for 4 000', async () => {
  await putOnTrial({
    promise: 'G3',
    name: 'cuts',
    run: (seed) =>
      cutAtRandom(seed, {
        ...{ people: 50, rooms: 4, talkers: 50, window: 8 },
        ...{ messages: 100_000, acksPerCut: 50, awayFor: 4000 },
      }),
  });
});
