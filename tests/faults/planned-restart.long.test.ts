import { test } from 'vitest';
import { restartUnderLoad } from './planned-restart.ts';
import { putOnTrial } from './trial.ts';

test('a planned restart loses nothing: 20 under load, 150 clients in rooms of 15 and of 60', async () => {
  for (const [name, crowd] of [
    ['planned restarts, rooms of 15', { people: 15, rooms: 10 }],
    ['planned restarts, rooms of 60', { people: 60, rooms: 2 }],
  ] as const) {
    await putOnTrial({
      promise: 'G10',
      name,
      run: (seed) => restartUnderLoad(seed, { ...crowd, window: 4, restarts: 10, acksPerLife: 3000 }),
    });
  }
});
