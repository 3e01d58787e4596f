import { test } from 'vitest';
import { killBeforeConsumers } from './notifications.ts';
import { putOnTrial } from './trial.ts';

// 30 minutes are not enough for it on a machine that has other work.
const LONG = { timeout: 7_200_000 };

test('no notification that is due is lost: 500 kills between the commit and the notifier', LONG, async () => {
  await putOnTrial({
    promise: 'G17',
    name: 'notifications',
    run: (seed) => killBeforeConsumers(seed, { kills: 500, messages: 8 }),
  });
});
