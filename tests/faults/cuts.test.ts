import { test } from 'vitest';
import { cutAtRandom } from './cuts.ts';
import { putOnTrial } from './trial.ts';

test('resume misses nothing and repeats nothing: 24 clients cut at random, a kill -9 and a restart', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G3',
    name: 'cuts, short',
    run: (seed) =>
      cutAtRandom(seed, {
        ...{ people: 12, rooms: 2, talkers: 6, window: 8 },
        ...{ messages: 4000, acksPerCut: 15, awayFor: 800 },
      }),
  });
});
