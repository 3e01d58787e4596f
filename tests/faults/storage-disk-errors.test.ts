import { describe, expect, test } from 'vitest';
import { runSeed, seededRandom } from '../support/random.ts';
import { appendUnder } from './storage-disk-errors.ts';
import { whyNoTracing } from './storage-trace.ts';

const reason = whyNoTracing();
if (reason !== undefined) console.info(`skipped: ${reason}`);

const seed = runSeed();
const random = seededRandom(seed);
const nth = random.integer(5, 40);

describe.skipIf(reason !== undefined)(`a failing disk never acks and never corrupts (seed ${seed})`, () => {
  test.each([
    ['once', `${nth}`],
    ['for ever', `${nth}+`],
  ])('EIO of a commit\u2019s fsync, %s: there is no reply, and the process ends', async (_, when) => {
    await appendUnder({
      fault: { file: 'roomful.db-wal', call: 'fsync', error: 'EIO', when },
      reaction: 'ends',
    });
  });

  test('EIO of a checkpoint\u2019s fsync: the process ends', async () => {
    await appendUnder({
      fault: { file: 'roomful.db', call: 'fsync', error: 'EIO', when: '2' },
      reaction: 'ends',
    });
  });

  test('EIO of a write into the log: there is no reply, and the process ends', async () => {
    const when = `${10 * nth}`;
    await appendUnder({
      fault: { file: 'roomful.db-wal', call: 'pwrite64', error: 'EIO', when },
      reaction: 'ends',
    });
  });

  test.each(['fsync', 'pwrite64'] as const)(
    'EIO of the first %s of the log, which is that of the start: it does not start, and says why',
    async (call) => {
      const fault = { file: 'roomful.db-wal', call, error: 'EIO', when: '1' } as const;
      await appendUnder({ fault, reaction: 'does not start' });
    },
  );

  test('ENOSPC of writes into the log: refused, then it goes on by itself', async () => {
    const when = `${10 * nth}..${10 * nth + 20}`;
    const fault = { file: 'roomful.db-wal', call: 'pwrite64', error: 'ENOSPC', when } as const;
    const { refused } = await appendUnder({ fault, reaction: 'refuses' });
    expect(refused).toBeGreaterThan(0);
  });

  test.each(['ENOSPC', 'EIO'] as const)(
    '%s of writes into the database: the log keeps it all and moves it later',
    async (error) => {
      const fault = { file: 'roomful.db', call: 'pwrite64', error, when: '1..2' } as const;
      const { injected } = await appendUnder({ fault, reaction: 'goes on' });
      expect(injected).toBe(2);
    },
  );
});
