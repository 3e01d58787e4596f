import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { fillTheDiskOfFiles } from './full-files.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { putOnTrial } from './trial.ts';
import { cutUploads } from './uploads.ts';

const noCluster = whyNoCluster();
const noDisk = await whyNoSmallDisk();

describe('an answered offset of an upload is on the disk', () => {
  test('200 cuts and 50 \u00d7 kill -9', async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'uploads',
      run: (seed) => cutUploads(seed, { people: 12, bytes: 8_000_000, cuts: 200, kills: 50 }),
    });
  });

  test.skipIf(noCluster !== undefined)(
    '3 processes on PostgreSQL, 200 cuts and 50 \u00d7 kill -9',
    async () => {
      const size = { processes: 3, people: 12, bytes: 8_000_000, cuts: 200, kills: 50 };
      await putOnTrial({
        promise: 'G18',
        name: 'uploads, several processes',
        run: (seed) => cutUploads(seed, size),
      });
    },
  );
});

test.skipIf(noDisk !== undefined)(
  'a full disk refuses uploads, texts go on, and so do uploads once there is space',
  async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'full disk of files',
      run: (seed) =>
        fillTheDiskOfFiles(seed, { people: 8, rooms: 3, window: 8, rounds: 20, acksBetween: 500 }),
    });
  },
);
