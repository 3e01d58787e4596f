import { expect, test } from 'vitest';
import { announce } from '../faults/results.ts';
import { runSeed } from '../support/random.ts';
import { cutReplies, withoutReceipts } from './cut-replies.ts';

const CUTS = 5000;

test(`nothing acked is lost, and nothing is stored twice: ${CUTS} cut replies of PostgreSQL`, async () => {
  const seed = runSeed();
  const { acked, rejected, cuts, ...faults } = await cutReplies({ cuts: CUTS, seed });
  announce({
    ...{ promise: 'G8', name: 'cut replies', seed, acked },
    ...{ lost: faults.lost.length, duplicated: faults.doubled.length },
    ...{ outOfOrder: faults.misplaced.length + faults.gaps.length, figures: { cuts, rejected } },
  });
  expect(faults).toEqual({ lost: [], doubled: [], misplaced: [], gaps: [] });
});

test('without receipts, 100 cut replies store texts twice', async () => {
  const seed = runSeed();
  const { doubled, acked } = await cutReplies({ cuts: 100, seed, plant: withoutReceipts });
  announce({
    promise: 'G8',
    name: 'planted: no receipts',
    seed,
    acked,
    figures: { doubled: doubled.length },
  });
  expect(doubled).not.toEqual([]);
});
