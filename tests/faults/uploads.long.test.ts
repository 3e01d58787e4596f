import { test } from 'vitest';
import { putOnTrial } from './trial.ts';
import { cutUploads } from './uploads.ts';

test('an answered offset of an upload is on the disk: 200 cuts and 50 \u00d7 kill -9', async () => {
  await putOnTrial({
    promise: 'G18',
    name: 'uploads',
    run: (seed) => cutUploads(seed, { people: 12, bytes: 8_000_000, cuts: 200, kills: 50 }),
  });
});
