import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { serveFiles } from './served-files.ts';
import { putOnTrial } from './trial.ts';

const noCluster = whyNoCluster();
const timeout = 240_000;

test('a file lives with its message: 80 acts and 2 × kill -9', { timeout }, async () => {
  await putOnTrial({
    promise: 'G19',
    name: 'files and their messages, short',
    run: (seed) => serveFiles(seed, { people: 5, rooms: 2, acts: 80, readsAfterEach: 6, kills: 2 }),
  });
});

test.skipIf(noCluster !== undefined)(
  'a file lives with its message at every process: 40 acts and 1 × kill -9',
  { timeout },
  async () => {
    const size = { processes: 2, people: 5, rooms: 2, acts: 40, readsAfterEach: 6, kills: 1 };
    await putOnTrial({
      promise: 'G19',
      name: 'files and their messages, several processes, short',
      run: (seed) => serveFiles(seed, size),
    });
  },
);
