import { describe, expect, it } from 'vitest';
import { inviteReads, inviteWrites } from './invites.ts';
import type { Steps } from './steps.ts';

/** How many statements the steps take when the first one finds these rows, and the later ones find nothing. */
function count(steps: Steps<unknown>, found: unknown[]): number {
  let statements = 0;
  for (let step = steps.next(); !step.done; step = steps.next(statements++ === 0 ? found : []));
  return statements;
}

describe('a code that nobody has made takes the statements of one whose maker may no longer invite', () => {
  const of = { codeHash: 'hash', userId: 2, now: 0 };
  const stored = { id: 1, roomId: 7, createdBy: 3 };

  it('where it is looked at', () => {
    expect(count(inviteReads.findInvitation(of), [])).toBe(count(inviteReads.findInvitation(of), [stored]));
  });

  it('where it is accepted', () => {
    expect(count(inviteWrites.acceptInvite(of), [])).toBe(count(inviteWrites.acceptInvite(of), [stored]));
  });
});
