import { test } from 'vitest';
import { raceForOneTimeThings } from './one-time.ts';
import { putOnTrial } from './trial.ts';

test('one-time means once: 20 rounds of 20 racers, for a ticket, a return ticket and a refresh token, with kill -9 in between', {
  timeout: 240_000,
}, async () => {
  await putOnTrial({
    promise: 'G6',
    name: 'one-time things, short',
    run: (seed) => raceForOneTimeThings(seed, { rounds: 20, racers: 20, killOneIn: 5 }),
  });
});
