import { describe, expect, it } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { runSeed } from '../support/random.ts';
import { cutReplies } from './cut-replies.ts';

const seed = runSeed();

describe.skipIf(whyNoPostgres() !== undefined)('PostgreSQL: cut replies', { timeout: 300_000 }, () => {
  it(`nothing acked is lost, and nothing is stored twice (seed ${seed})`, async () => {
    const result = await cutReplies({ cuts: Number(process.env.CUTS ?? 100), seed });
    console.info(result);
    expect(result).toMatchObject({ lost: [], doubled: [], misplaced: [], gaps: [] });
    expect(result.acked).toBeGreaterThan(0);
  });
});
