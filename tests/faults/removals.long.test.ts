import { test } from 'vitest';
import { removeAmidTraffic } from './removals.ts';
import { putOnTrial } from './trial.ts';

test('nothing of a room is sent to the removed: 1 000 removals from 4 private rooms, amid traffic', async () => {
  await putOnTrial({
    promise: 'G14',
    name: 'removals',
    run: (seed) => removeAmidTraffic(seed, { rooms: 4, people: 10, talkers: 3, removals: 1000 }),
  });
});
