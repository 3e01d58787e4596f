import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { whyNoS3 } from '../support/s3-server.ts';
import { fillTheDiskOfFiles } from './full-files.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { putOnTrial } from './trial.ts';
import { cutUploads } from './uploads.ts';

const noCluster = whyNoCluster();
const noS3 = whyNoS3();
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

  test.skipIf(noS3 !== undefined)('in a bucket, 100 cuts and 20 \u00d7 kill -9', async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'uploads to S3',
      run: (seed) => cutUploads(seed, { inBucket: true, people: 6, bytes: 8_000_000, cuts: 100, kills: 20 }),
    });
  });

  test.skipIf(noS3 !== undefined || noCluster !== undefined)(
    'in a bucket, 3 processes on PostgreSQL, 100 cuts and 20 \u00d7 kill -9',
    async () => {
      const size = { inBucket: true, processes: 3, people: 6, bytes: 8_000_000, cuts: 100, kills: 20 };
      await putOnTrial({
        promise: 'G18',
        name: 'uploads to S3, several processes',
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
