import { test } from 'vitest';
import { restartUnderLoad } from './planned-restart.ts';
import { putOnTrial } from './trial.ts';

test('a planned restart loses nothing: one under load', { timeout: 240_000 }, async () => {
  await putOnTrial({
    promise: 'G10',
    name: 'planned restart, short',
    run: (seed) => restartUnderLoad(seed, { people: 12, rooms: 1, window: 4, restarts: 1, acksPerLife: 300 }),
  });
});
