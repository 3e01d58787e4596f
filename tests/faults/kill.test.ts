import { test } from 'vitest';
import { killAgainAndAgain } from './kill.ts';
import { putOnTrial } from './trial.ts';

test('an acked message is durable, exactly once, and resuming misses nothing: 3 \u00d7 kill -9', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G1',
    name: 'kill -9, short',
    run: (seed) =>
      killAgainAndAgain(seed, {
        ...{ people: 6, rooms: 3, roomsEach: 2, window: 8 },
        ...{ kills: 3, lifeMs: { min: 200, max: 800 }, acks: 2000 },
      }),
  });
});
