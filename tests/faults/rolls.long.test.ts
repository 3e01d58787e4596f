import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { rollUnderLoad } from './rolls.ts';
import { putOnTrial } from './trial.ts';

test.skipIf(whyNoCluster() !== undefined)(
  'ten rolls of three workers under traffic: nothing acked is lost, no client is cut twice in one',
  async () => {
    await putOnTrial({
      promise: 'G10',
      name: 'rolls',
      run: (seed) =>
        rollUnderLoad(seed, { workers: 3, people: 10, rooms: 4, window: 4, rolls: 10, acksPerLife: 1000 }),
    });
  },
);
