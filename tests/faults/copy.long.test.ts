import { describe, test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { copyInUse } from './copy.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a copy to PostgreSQL', () => {
  test('12 x kill -9 of the copy of a million messages, while the server is in use and after', async () => {
    await putOnTrial({
      promise: 'G1',
      name: 'copy to PostgreSQL',
      run: (seed) => copyInUse(seed, { messages: 1_000_000, kills: 6, people: 20 }),
    });
  });
});
