import { describe, test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { copyInUse } from './copy.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a copy to PostgreSQL', () => {
  test('4 x kill -9 while the server is in use and after: nothing is lost or doubled, and nobody starts over', {
    timeout: 300_000,
  }, async () => {
    await putOnTrial({
      promise: 'G1',
      name: 'copy to PostgreSQL, short',
      run: (seed) => copyInUse(seed, { messages: 10_000, kills: 2, people: 6 }),
    });
  });
});
