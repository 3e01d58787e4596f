import { expect, test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { eraseAtRandom } from './erasure.ts';
import { eraseFromIndex } from './erasure-index.ts';
import { eraseOnPostgres } from './erasure-postgres.ts';
import { putOnTrial } from './trial.ts';

/** The promise is 10 s. The machine may be loaded. */
const SLACK = 2;

test('what was deleted is in no file of the database within 10 s: 20 000 messages, edited and deleted', async () => {
  await putOnTrial({
    promise: 'G16',
    name: 'erased from the disk',
    run: async (seed) => {
      const { deleted, left, lost, seconds } = await eraseAtRandom(seed, 20_000);
      expect({ left, lost }).toEqual({ left: [], lost: 0 });
      expect(seconds).toBeLessThan(10 * SLACK);
      return { figures: { deleted, seconds: Math.round(seconds * 10) / 10 } };
    },
  });
});

test('what was deleted is in no file of a data folder with an index within 10 s: 5000 messages', async () => {
  await putOnTrial({
    promise: 'G16',
    name: 'erased from the index',
    run: async (seed) => {
      const { deleted, left, seconds } = await eraseFromIndex(seed, 5000);
      expect(left).toEqual([]);
      expect(seconds).toBeLessThan(10 * SLACK);
      return { figures: { deleted, seconds: Math.round(seconds * 10) / 10 } };
    },
  });
});

test.skipIf(whyNoPostgres() !== undefined)(
  'on PostgreSQL what was deleted is in no read, and after VACUUM FULL in no file: 5000 messages',
  async () => {
    await putOnTrial({
      promise: 'G16',
      name: 'erased from PostgreSQL',
      run: async (seed) => {
        const { deleted, read, before, left, lost } = await eraseOnPostgres(seed, 5000);
        expect({ read, left, lost }).toEqual({ read: [], left: [], lost: 0 });
        return { figures: { deleted, before } };
      },
    });
  },
);
