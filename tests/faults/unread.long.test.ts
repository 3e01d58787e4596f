import { test } from 'vitest';
import { putOnTrial } from './trial.ts';
import { countOnThreeDevices } from './unread.ts';

test('unread counts are exact on three devices: 20 rooms, 200 rounds, kill -9 in one of 10', async () => {
  await putOnTrial({
    promise: 'G15',
    name: 'unread counts',
    run: (seed) => countOnThreeDevices(seed, { rooms: 20, rounds: 200, acts: 30, killOneIn: 10 }),
  });
});
