import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { raceThroughProcesses } from './cluster-races.ts';
import { putOnTrial } from './trial.ts';

test.skipIf(whyNoCluster() !== undefined)(
  'once through three processes: 1 000 rounds of each act, 6 attempts at the same moment',
  async () => {
    await putOnTrial({
      promise: 'G6',
      name: 'races through processes',
      run: () => raceThroughProcesses({ rounds: 1000, processes: 3, racers: 6 }),
    });
  },
);
