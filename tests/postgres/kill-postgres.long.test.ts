import { test } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { killPostgres } from './kill-postgres.ts';

test('an acked message is durable, exactly once: 20 \u00d7 kill -9 of PostgreSQL under 20 senders in 5 rooms', async () => {
  await putOnTrial({
    promise: 'G8',
    name: 'kill -9 of PostgreSQL',
    run: (seed) =>
      killPostgres(seed, {
        ...{ people: 20, rooms: 5, window: 4 },
        ...{ kills: 20, acksPerLife: 500, awayMs: { min: 0, max: 12_000 } },
      }),
  });
});
