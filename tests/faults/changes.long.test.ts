import { test } from 'vitest';
import { changeUnderKills } from './changes.ts';
import { putOnTrial } from './trial.ts';

test('an answered change is durable, once and in order: 30 × kill -9 amid 20 000 changes', async () => {
  await putOnTrial({
    promise: 'G13',
    name: 'changes',
    run: (seed) =>
      changeUnderKills(seed, {
        ...{ people: 12, messages: 150, changes: 20_000, kills: 30 },
        lifeMs: { min: 200, max: 2500 },
      }),
  });
});
