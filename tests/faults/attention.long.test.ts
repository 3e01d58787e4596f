import { test } from 'vitest';
import { killBeforeFollowers } from './attention.ts';
import { putOnTrial } from './trial.ts';

test('no notification that is due is lost: 500 kills between the commit and the follower', async () => {
  await putOnTrial({
    promise: 'G17',
    name: 'notifications',
    run: (seed) => killBeforeFollowers(seed, { kills: 500, messages: 8 }),
  });
});
