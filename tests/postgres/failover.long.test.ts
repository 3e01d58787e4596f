import { test } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { failOverSynchronously } from './failover.ts';

test('an acked message survives a failover to a synchronous standby: 5 failovers', async () => {
  for (let count = 0; count < 5; count++)
    await putOnTrial({
      promise: 'G8',
      name: 'failover, synchronous',
      run: (seed) => failOverSynchronously(seed, { acksBefore: 5000, acksAfter: 2000 }),
    });
});
