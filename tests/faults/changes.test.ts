import { test } from 'vitest';
import { changeUnderKills } from './changes.ts';
import { putOnTrial } from './trial.ts';

test('an answered change is durable, once and in order: 3 × kill -9 amid 1500 changes', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G13',
    name: 'changes, short',
    run: (seed) =>
      changeUnderKills(seed, {
        ...{ people: 5, messages: 40, changes: 1500, kills: 3 },
        lifeMs: { min: 200, max: 800 },
      }),
  });
});
