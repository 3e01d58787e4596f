import { describe, test } from 'vitest';
import { runSeed, seededRandom } from '../support/random.ts';
import { appendUnder } from './storage-disk-errors.ts';
import { whyNoTracing } from './storage-trace.ts';

const reason = whyNoTracing();
if (reason !== undefined) console.info(`skipped: ${reason}`);

const ROUNDS = 15;

describe.skipIf(reason !== undefined)(
  'a failing disk never acks and never corrupts, wherever it begins',
  () => {
    test('EIO of any fsync of the log: the process ends', { timeout: 600_000 }, async () => {
      const seed = runSeed();
      const random = seededRandom(seed);
      console.info(`seed ${seed}`);
      for (let round = 0; round < ROUNDS; round++) {
        // The first fsync belongs to the start.
        const when = `${random.integer(2, 400)}${random.next() < 0.5 ? '+' : ''}`;
        const fault = { file: 'roomful.db-wal', call: 'fsync', error: 'EIO', when } as const;
        await appendUnder({ fault, reaction: 'ends' });
      }
    });

    test('EIO of any write into the log: the process ends', { timeout: 600_000 }, async () => {
      const seed = runSeed();
      const random = seededRandom(seed);
      console.info(`seed ${seed}`);
      for (let round = 0; round < ROUNDS; round++) {
        // The start writes up to nine times. What fails there is a case of its own.
        const when = `${random.integer(10, 8000)}`;
        const fault = { file: 'roomful.db-wal', call: 'pwrite64', error: 'EIO', when } as const;
        await appendUnder({ fault, reaction: 'ends' });
      }
    });

    test('ENOSPC of any writes into the log: refused, then it goes on', { timeout: 600_000 }, async () => {
      const seed = runSeed();
      const random = seededRandom(seed);
      console.info(`seed ${seed}`);
      for (let round = 0; round < ROUNDS; round++) {
        // Not the first ones: those are the start.
        const first = random.integer(100, 8000);
        const when = `${first}..${first + random.integer(0, 50)}`;
        const fault = { file: 'roomful.db-wal', call: 'pwrite64', error: 'ENOSPC', when } as const;
        await appendUnder({ fault, reaction: 'refuses' });
      }
    });
  },
);
