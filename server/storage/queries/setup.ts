/** How the first admin comes to be, and every grant of that role. */
import type { PeopleReads, PeopleWrites } from '../store.ts';
import { endResetsOf } from './resets.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';

/** In `meta`: what the setup code is made of. */
const SETUP = 'setup';

export const setupWrites: AsSteps<Pick<PeopleWrites, 'beginSetup' | 'grantAdmin'>> = {
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
  *grantAdmin({ userId, ...grant }) {
    if (!grant.isForced && grant.nonce !== (yield* findSetup())) return false;
    const allowed = grant.isForced ? sql`true` : sql`NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin')`;
    const granted = yield* first(sql`
      UPDATE users SET role = 'admin', version = version + 1
      WHERE id = ${userId} AND role <> 'admin' AND suspended_at IS NULL AND ${allowed} RETURNING id`);
    if (!granted) return false;
    yield* endResetsOf(userId);
    yield* endSetup();
    return true;
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
