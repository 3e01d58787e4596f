import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { killPartsOfCluster } from './cluster-kills.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)('three processes', () => {
  test('an acked message is durable, exactly once, whichever part is killed', {
    timeout: 240_000,
  }, async () => {
    await putOnTrial({
      promise: 'G8',
      name: 'kills of a cluster, short',
      run: (seed) =>
        killPartsOfCluster(seed, {
          ...{ processes: 3, people: 6, rooms: 3, roomsEach: 2, window: 4 },
          ...{ kills: { process: 1, redis: 1, postgres: 1 }, pauseMs: { min: 200, max: 800 }, awayMs: 500 },
        }),
    });
  });
});
