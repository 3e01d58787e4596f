/**
 * The reducer against a server and a network that do what they may: connections that are cut in the midst of
 * anything, frames that come twice, acks before or after their echoes, pages of history that are late, refusals,
 * restored backups.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { Model } from '../testing/room-model.ts';
import { STEPS, type Step } from '../testing/room-model-steps.ts';

const SIX_POSTS = ['post', 'post', 'post', 'post', 'post', 'post'] as const;

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
  // A change between the stream and the head, of a message that a jump has read before.
  [
    [
      ...(['post, and edit it before it is heard of', 'post', 'post', 'connect', 'jump'] as const),
      ...(['edit an old one', 'post', 'ask for history'] as const),
      ...(['the page of a jump arrives', 'page arrives'] as const),
    ],
  ],
  // The same, of a message on a page that was read before the latest one, or before the stream began.
  [
    [
      ...SIX_POSTS,
      ...(['connect to a slow server', 'ask for history', 'page arrives', 'ask for older'] as const),
      ...(['edit an old one', 'connect', 'deliver', 'ask for history', 'page arrives'] as const),
      'older page arrives',
    ],
  ],
  [
    [
      ...SIX_POSTS,
      ...(['connect to a slow server', 'ask for history', 'page arrives', 'edit an old one'] as const),
      ...(['connect', 'deliver', 'ask for older', 'edit an old one', 'ask for history'] as const),
      ...(['page arrives', 'older page arrives'] as const),
    ],
  ],
  // The segment was read again while the page before it was on its way.
  [
    [
      ...[...SIX_POSTS, ...SIX_POSTS, ...SIX_POSTS, ...SIX_POSTS],
      ...(['connect to a slow server', 'jump', 'the page of a jump arrives'] as const),
      ...(['read on before the target', 'react to an old one', 'connect', 'deliver', 'jump'] as const),
      ...(['the latest page of a jump arrives first', 'the page of a jump arrives'] as const),
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
