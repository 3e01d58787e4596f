import { test } from 'vitest';
import { putOnTrial } from './trial.ts';
import { countOnThreeDevices } from './unread.ts';

test('unread counts are exact on three devices: 6 rooms, 6 rounds', { timeout: 240_000 }, async () => {
  await putOnTrial({
    promise: 'G15',
    name: 'unread counts, short',
    run: (seed) => countOnThreeDevices(seed, { rooms: 6, rounds: 6, acts: 12, killOneIn: 4 }),
  });
});
