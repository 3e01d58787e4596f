import { test } from 'vitest';
import { publishWithSlowCommits } from './one-order.ts';
import { putOnTrial } from './trial.ts';

test('one order per room: 12 publishers, random sleeps before commits, readers that follow by cursor', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G2',
    name: 'one order, short',
    run: (seed) =>
      publishWithSlowCommits(seed, { people: 6, rooms: 2, window: 4, acks: 1500, longestCommitMs: 10 }),
  });
});
