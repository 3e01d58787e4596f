import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { partitionAgainAndAgain, whyNoNamespaces } from './partitions.ts';
import { putOnTrial } from './trial.ts';

const SIZE = { processes: 3, people: 9, rooms: 3, roomsEach: 2, frozenMs: 20_000 };

describe.skipIf((whyNoCluster({ canBeStopped: true }) ?? whyNoNamespaces()) !== undefined)(
  'three processes on hosts of their own',
  () => {
    test('cut off from Redis, from PostgreSQL, and frozen', async () => {
      await putOnTrial({
        promise: 'G9',
        name: 'partitions',
        run: (seed) =>
          partitionAgainAndAgain(seed, {
            ...{ ...SIZE, kinds: ['redis', 'database', 'frozen'], talkers: 3, window: 1 },
            ...{ rounds: 8, holdMs: { min: 4000, max: 12_000 } },
          }),
      });
    });

    test('cut off from Redis in one direction, and with connections that are never closed', async () => {
      await putOnTrial({
        promise: 'G9',
        name: 'one-way cuts',
        run: (seed) =>
          partitionAgainAndAgain(seed, {
            ...{ ...SIZE, kinds: ['redis'], cuts: ['lost from it', 'lost to it', 'half-open'] },
            ...{ talkers: 18, window: 2 },
            ...{ rounds: 24, holdMs: { min: 1000, max: 12_000 } },
          }),
      });
    });
  },
);
