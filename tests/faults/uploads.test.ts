import { test } from 'vitest';
import { putOnTrial } from './trial.ts';
import { cutUploads } from './uploads.ts';

test('an answered offset of an upload is on the disk: 20 cuts and 3 \u00d7 kill -9', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G18',
    name: 'uploads, short',
    run: (seed) => cutUploads(seed, { people: 4, bytes: 2_000_000, cuts: 20, kills: 3 }),
  });
});
