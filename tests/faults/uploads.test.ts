import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { whyNoS3 } from '../support/s3-server.ts';
import { fillTheDiskOfFiles } from './full-files.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';
import { putOnTrial } from './trial.ts';
import { cutUploads } from './uploads.ts';

const noCluster = whyNoCluster();
const noS3 = whyNoS3();
const noDisk = await whyNoSmallDisk();
if (noDisk !== undefined) console.info(`skipped: ${noDisk}`);

const timeout = 240_000;

test('an answered offset of an upload is on the disk: 20 cuts and 3 \u00d7 kill -9', {
  timeout,
}, async () => {
  await putOnTrial({
    promise: 'G18',
    name: 'uploads, short',
    run: (seed) => cutUploads(seed, { people: 4, bytes: 2_000_000, cuts: 20, kills: 3 }),
  });
});

test.skipIf(noCluster !== undefined)(
  'an upload goes on at another process, also after a kill -9 of its own: 20 cuts and 3 kills',
  { timeout },
  async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'uploads, several processes, short',
      run: (seed) => cutUploads(seed, { processes: 2, people: 4, bytes: 2_000_000, cuts: 20, kills: 3 }),
    });
  },
);

test.skipIf(noS3 !== undefined)(
  'an answered offset of an upload is in the bucket: 10 cuts and 2 \u00d7 kill -9',
  { timeout },
  async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'uploads to S3, short',
      run: (seed) => cutUploads(seed, { inBucket: true, people: 3, bytes: 2_000_000, cuts: 10, kills: 2 }),
    });
  },
);

test.skipIf(noS3 !== undefined || noCluster !== undefined)(
  'an upload to the bucket goes on at another process: 10 cuts and 2 kills',
  { timeout },
  async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'uploads to S3, several processes, short',
      run: (seed) =>
        cutUploads(seed, { inBucket: true, processes: 2, people: 3, bytes: 2_000_000, cuts: 10, kills: 2 }),
    });
  },
);

test.skipIf(noDisk !== undefined)(
  'a full disk refuses uploads, texts go on, and so do uploads once there is space',
  { timeout },
  async () => {
    await putOnTrial({
      promise: 'G18',
      name: 'full disk of files, short',
      run: (seed) =>
        fillTheDiskOfFiles(seed, { people: 4, rooms: 2, window: 4, rounds: 2, acksBetween: 100 }),
    });
  },
);
