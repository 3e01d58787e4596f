import { test } from 'vitest';
import { searchOn } from './search.ts';
import { searchGrounds } from './search-grounds.ts';
import { putOnTrial } from './trial.ts';

test('search finds all that one may read, and nothing else, on both databases: 170 queries, 2 kills', {
  timeout: 240_000,
}, async () => {
  const options = { messages: 150, queries: 70, rounds: 4, acts: 25, killEvery: 2, patienceMs: 60_000 };
  await putOnTrial({
    promise: 'G21',
    name: 'search, short',
    run: (seed) => searchOn(seed, options, searchGrounds()),
  });
});
