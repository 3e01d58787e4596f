import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { rollUnderLoad } from './rolls.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoCluster() !== undefined)('three workers', () => {
  test('a roll under traffic: nothing acked is lost, one disconnect each, no join or leave', {
    timeout: 240_000,
  }, async () => {
    await putOnTrial({
      promise: 'G10',
      name: 'rolls, short',
      run: (seed) =>
        rollUnderLoad(seed, { workers: 3, people: 6, rooms: 2, window: 2, rolls: 1, acksPerLife: 200 }),
    });
  });
});
