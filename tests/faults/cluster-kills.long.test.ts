import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { killPartsOfCluster } from './cluster-kills.ts';
import { putOnTrial } from './trial.ts';

test.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)(
  'an acked message is durable, exactly once: 20 kills each of processes, PostgreSQL and Redis',
  async () => {
    await putOnTrial({
      promise: 'G8',
      name: 'kills of a cluster',
      run: (seed) =>
        killPartsOfCluster(seed, {
          ...{ processes: 3, people: 12, rooms: 6, roomsEach: 3, window: 4 },
          ...{
            kills: { process: 20, redis: 20, postgres: 20 },
            pauseMs: { min: 500, max: 4000 },
            awayMs: 3000,
          },
        }),
    });
  },
);
