import { test } from 'vitest';
import { killAgainAndAgain } from './kill.ts';
import { putOnTrial } from './trial.ts';

test('an acked message is durable, exactly once: 50 \u00d7 kill -9 under 20 senders in each of 10 rooms', async () => {
  await putOnTrial({
    promise: 'G1',
    name: 'kill -9',
    run: (seed) =>
      killAgainAndAgain(seed, {
        ...{ people: 20, rooms: 10, window: 4 },
        ...{ kills: 50, lifeMs: { min: 200, max: 3000 }, acks: 100_000 },
      }),
  });
});
