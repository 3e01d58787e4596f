import { describe, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { serveFiles } from './served-files.ts';
import { putOnTrial } from './trial.ts';

const noCluster = whyNoCluster();
const SIZE = { people: 12, rooms: 6, acts: 2000, readsAfterEach: 12, kills: 30 };

describe('a file lives with its message', () => {
  test('2000 acts and 30 × kill -9', async () => {
    await putOnTrial({
      promise: 'G19',
      name: 'files and their messages',
      run: (seed) => serveFiles(seed, SIZE),
    });
  });

  test.skipIf(noCluster !== undefined)('3 processes on PostgreSQL, 2000 acts and 30 × kill -9', async () => {
    await putOnTrial({
      promise: 'G19',
      name: 'files and their messages, several processes',
      run: (seed) => serveFiles(seed, { ...SIZE, processes: 3 }),
    });
  });
});
