import { test } from 'vitest';
import { removeAmidTraffic } from './removals.ts';
import { putOnTrial } from './trial.ts';

test('nothing of a room is sent to the removed: 24 removals from 2 private rooms, amid traffic', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G14',
    name: 'removals, short',
    run: (seed) => removeAmidTraffic(seed, { rooms: 2, people: 4, talkers: 2, removals: 24 }),
  });
});
