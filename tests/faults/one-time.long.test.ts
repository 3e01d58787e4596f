import { test } from 'vitest';
import { raceForOneTimeThings } from './one-time.ts';
import { putOnTrial } from './trial.ts';

test('once: 1 000 rounds of 50 racers for a ticket and for a refresh token, kill -9 in one of 20', async () => {
  await putOnTrial({
    promise: 'G6',
    name: 'one-time things',
    run: (seed) => raceForOneTimeThings(seed, { rounds: 1000, racers: 50, killOneIn: 20 }),
  });
});
