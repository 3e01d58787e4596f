import { test } from 'vitest';
import { publishWithSlowCommits } from './one-order.ts';
import { putOnTrial } from './trial.ts';

test('one order per room: 50 publishers in each of 3 rooms, random sleeps before commits', async () => {
  await putOnTrial({
    promise: 'G2',
    name: 'one order',
    run: (seed) =>
      publishWithSlowCommits(seed, { people: 50, rooms: 3, window: 4, acks: 60_000, longestCommitMs: 20 }),
  });
});
