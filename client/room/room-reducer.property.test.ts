/**
 * The reducer against a server and a network that do what they may: connections that are cut in the midst of
 * anything, frames that come twice, acks before or after their echoes, pages of history that are late, refusals,
 * restored backups.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { Model } from '../testing/room-model.ts';
import { STEPS, type Step } from '../testing/room-model-steps.ts';

/** Runs that failed once. */
const KEPT: [Step[]][] = [
  [['ask for history', 'post', 'post', 'post', 'page arrives', 'post', 'edit a new one']],
  [['ask for history', 'page arrives', 'post', 'post', 'post', 'post', 'edit a new one']],
  [['ask for history', 'restore a backup', 'connect', 'deliver', 'cut', 'page arrives', 'post']],
  [
    [
      ...(['ask for history', 'restore a backup', 'post', 'ask for history', 'connect', 'deliver'] as const),
      ...(['post', 'cut', 'connect', 'deliver', 'page arrives'] as const),
    ],
  ],
];

test('at any time seqs are contiguous, each cid is shown at most once, and nothing acked is pending', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 150, size: 'max' }), (steps) => {
      const model = new Model();
      for (const step of steps) model.take(step);
      model.settle();
      model.checkEnd();
    }),
    { numRuns: 300, examples: KEPT },
  );
});
