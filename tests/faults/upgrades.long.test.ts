import { describe, test } from 'vitest';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { whyNoCluster } from '../support/cluster.ts';
import { makeNewerBuild } from './newer-build.ts';
import { putOnTrial } from './trial.ts';
import { olderBuild, upgradeAndRollBack } from './upgrades.ts';

const SIZE = { processes: 3, people: 12, rooms: 6, roomsEach: 3, window: 4, rounds: 4, acksBetween: 3000 };
const older = olderBuild();

describe.skipIf(whyNoCluster() !== undefined)('two builds on one database, under traffic', () => {
  test.skipIf('missing' in older)(
    'from an older build to this one and back: nothing acked is lost',
    async () => {
      await putOnTrial({
        promise: 'G10',
        name: 'upgrade from an older build',
        run: (seed) =>
          upgradeAndRollBack(seed, { ...SIZE, ...('main' in older ? { older: older.main } : {}) }),
      });
    },
  );

  test('from this build to a newer one and back: nothing acked is lost', async () => {
    await using newer = await makeNewerBuild(SCHEMA_VERSION);
    await putOnTrial({
      promise: 'G10',
      name: 'upgrade to a newer build',
      run: (seed) => upgradeAndRollBack(seed, { ...SIZE, newer: newer.main }),
    });
  });
});
