/** How the first admin comes to be. */
import type { PeopleReads, PeopleWrites } from '../store.ts';
import { addAudit } from './audit.ts';
import { endResetsOf } from './resets.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';
import { nextUserSeq } from './user-log.ts';

/** In `meta`: what the setup code is made of. */
const SETUP = 'setup';

export const setupWrites: AsSteps<Pick<PeopleWrites, 'beginSetup' | 'claimSetup'>> = {
  *beginSetup({ nonce, isRenewed }) {
    if (yield* hasAdmin()) {
      yield* endSetup();
      return undefined;
    }
    const kept = isRenewed ? undefined : yield* findSetup();
    if (kept === undefined) yield* writeMeta(SETUP, nonce);
    return kept ?? nonce;
  },

  /** It reads other rows than it writes, so it holds only where commands are serializable, as in one writer. */
  *claimSetup({ userId, nonce, now }) {
    if (nonce !== (yield* findSetup()) || (yield* hasAdmin())) return undefined;
    const person = yield* first<{ role: string }>(
      sql`SELECT role FROM users WHERE id = ${userId} AND suspended_at IS NULL`,
    );
    if (!person) return undefined;
    yield* run(sql`UPDATE users SET role = 'admin', version = version + 1 WHERE id = ${userId}`);
    const details = { from: person.role, to: 'admin' };
    yield* addAudit({ action: 'role', actorId: userId, userId, now, details });
    yield* endResetsOf(userId);
    yield* endSetup();
    // It has a number in the user's log, at which all that the user has open is judged again.
    return { userSeq: yield* nextUserSeq(userId) };
  },
};

export const setupReads: AsSteps<Pick<PeopleReads, 'hasAdmin' | 'setupNonce'>> = {
  hasAdmin,
  setupNonce: findSetup,
};

function* hasAdmin(): Steps<boolean> {
  return (yield* first(sql`SELECT id FROM users WHERE role = 'admin' LIMIT 1`)) !== undefined;
}

function* findSetup(): Steps<string | undefined> {
  return (yield* first<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${SETUP}`))?.value;
}

/** There is an admin: the setup code that was logged never works again. */
export function* endSetup(): Steps<void> {
  yield* run(sql`DELETE FROM meta WHERE key = ${SETUP}`);
}
