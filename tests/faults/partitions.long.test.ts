import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { partitionAgainAndAgain, whyNoNamespaces } from './partitions.ts';
import { putOnTrial } from './trial.ts';

test.skipIf((whyNoCluster({ canBeStopped: true }) ?? whyNoNamespaces()) !== undefined)(
  'three processes on hosts of their own: cut off from Redis, from PostgreSQL, and frozen',
  async () => {
    await putOnTrial({
      promise: 'G9',
      name: 'partitions',
      run: (seed) =>
        partitionAgainAndAgain(seed, {
          ...{ processes: 3, people: 9, rooms: 3, roomsEach: 2, window: 2 },
          ...{ rounds: 8, holdMs: { min: 4000, max: 12_000 }, frozenMs: 20_000 },
        }),
    });
  },
);
