import { test } from 'vitest';
import { killBeforeConsumers } from './notifications.ts';
import { putOnTrial } from './trial.ts';

test('no notification that is due is lost: 2 kills', { timeout: 240_000 }, async () => {
  await putOnTrial({
    promise: 'G17',
    name: 'notifications, short',
    run: (seed) => killBeforeConsumers(seed, { kills: 2, messages: 8 }),
  });
});
