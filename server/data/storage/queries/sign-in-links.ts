/**
 * Links that sign in once. They stand in the table of links that set a password: what ends those ends these, too. What
 * is stored of their codes differs (resets.ts), so neither works as the other.
 */
import type { SignInLinkReads, SignInLinkWrites } from '../store.ts';
import { createLink, findLink } from './administration.ts';
import { addAudit } from './audit.ts';
import { signInKey } from './resets.ts';
import { sql } from './sql.ts';
import { type AsSteps, run } from './steps.ts';
import { addSession } from './users.ts';

export const signInLinkWrites: AsSteps<SignInLinkWrites> = {
  createSignInLink: ({ codeHash, ...link }) =>
    createLink({ ...link, codeHash: signInKey(codeHash), actorId: null }, 'sign_in_link_made'),

  *useSignInLink({ codeHash, ...session }) {
    const key = signInKey(codeHash);
    const person = yield* findLink(key, session.now);
    if (!person || person.suspendedAt !== null) return undefined;
    const { user } = person;
    const sessionId = yield* addSession({ ...session, userId: user.id });
    if (sessionId === undefined) return undefined;
    yield* run(sql`DELETE FROM password_resets WHERE code_hash = ${key}`);
    yield* addAudit({ action: 'sign_in_link_used', actorId: user.id, userId: user.id, now: session.now });
    return { user, sessionId };
  },
};

export const signInLinkReads: AsSteps<SignInLinkReads> = {
  *findSignInLink({ codeHash, now }) {
    const person = yield* findLink(signInKey(codeHash), now);
    return person && { user: person.user, isSuspended: person.suspendedAt !== null };
  },
};
