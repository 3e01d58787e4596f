import { test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { searchOn } from './search.ts';
import { ofProcesses, searchGrounds } from './search-grounds.ts';
import { putOnTrial } from './trial.ts';

const noCluster = whyNoCluster();
/** The promise is 2 s. The machine may be loaded. */
const SLACK = 2;
const LONG = { messages: 1500, queries: 320, rounds: 60, acts: 30, killEvery: 1, patienceMs: 2000 * SLACK };

test('search finds all that one may read, and nothing else, on both databases: 472 queries, 60 kills', async () => {
  await putOnTrial({
    promise: 'G21',
    name: 'search',
    run: (seed) => searchOn(seed, LONG, searchGrounds()),
  });
});

test.skipIf(noCluster !== undefined)(
  'any process finds the same, also after a kill -9 of the one that keeps the index: 412 queries, 40 kills',
  async () => {
    await putOnTrial({
      promise: 'G21',
      name: 'search, two processes',
      run: (seed) => searchOn(seed, { ...LONG, messages: 500, rounds: 40 }, [ofProcesses(2)]),
    });
  },
);
