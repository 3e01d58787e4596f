import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { raceThroughProcesses } from './cluster-races.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoCluster() !== undefined)('three processes', () => {
  test('of acts at the same moment, of which one can win, one does: 10 rounds of 6 attempts', {
    timeout: 240_000,
  }, async () => {
    await putOnTrial({
      promise: 'G6',
      name: 'races through processes, short',
      run: () => raceThroughProcesses({ rounds: 10, processes: 3, racers: 6 }),
    });
  });
});
