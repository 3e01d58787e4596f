import { describe, expect, it } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { runSeed } from '../support/random.ts';
import { cutReplies, withoutReceipts } from './cut-replies.ts';

const seed = runSeed();

describe.skipIf(whyNoPostgres() !== undefined)('replies of PostgreSQL that never arrive', () => {
  it(`nothing acked is lost, and nothing is stored twice (seed ${seed})`, async () => {
    const { acked, ...faults } = await cutReplies({ cuts: 40, seed });
    expect(faults).toMatchObject({ lost: [], doubled: [], misplaced: [], gaps: [] });
    expect(acked).toBeGreaterThan(0);
  });

  it('without receipts, the trial finds texts that are stored twice', async () => {
    const { doubled } = await cutReplies({ cuts: 5, seed, plant: withoutReceipts });
    expect(doubled).not.toEqual([]);
  });
});
