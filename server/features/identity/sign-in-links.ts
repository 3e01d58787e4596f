/**
 * Links that sign in once, which the operator makes: for a screen that has no keyboard, or somebody who looks at a
 * demonstration. To open such a link changes nothing; the page that it leads to uses it up.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import { SIGN_IN_LINK_TTL_S } from '../../../protocol/limits.ts';
import type { LoginResponse } from '../../../protocol/rest/accounts.ts';
import type { ResetLink } from '../../../protocol/rest/administration.ts';
import type { Store, UserRow } from '../../data/storage/store.ts';
import { checkOrRefuse, type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { type From, hashOf } from '../rooms/invites.ts';
import type { Sessions } from './sessions.ts';

/** Of which the database keeps the hash. */
const CODE_BYTES = 16;

export interface SignInLinksOptions {
  store: Store;
  sessions: Sessions;
  /** Counts wrong codes, by address; undefined: no limit. */
  attempts: Limiter | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

/** `origin`: where the web client is. Throws `user_not_found`. */
export async function createSignInLink(
  { store, now }: Pick<SignInLinksOptions, 'store' | 'now'>,
  userId: number,
  origin: string,
): Promise<ResetLink> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const expiresAt = now() + SIGN_IN_LINK_TTL_S * 1000;
  const created = await store.createSignInLink({ userId, codeHash: codeHash(code), expiresAt, now: now() });
  if (created.outcome !== 'created') throw new AppError(created.outcome);
  const url = `${origin}/sign-in/${code}`;
  return { user: toPerson(created.user), code, url, expires_at: new Date(expiresAt).toISOString() };
}

export class SignInLinks {
  readonly #options: SignInLinksOptions;

  constructor(options: SignInLinksOptions) {
    this.#options = options;
  }

  /**
   * Whom the link signs in. Throws `reset_not_found`, `account_suspended`, and `too_many_requests` after too many wrong
   * codes.
   */
  async find(code: string, from: From): Promise<{ user: { user_id: number; username: string } }> {
    const { store, attempts, now } = this.#options;
    await checkOrRefuse(attempts, from.key);
    const found = await store.findSignInLink({ codeHash: codeHash(code), now: now() });
    if (!found) {
      await takeOrRefuse(attempts, from.key);
      throw new AppError('reset_not_found');
    }
    if (found.isSuspended) {
      const suspension = await store.suspension(found.user.id);
      throw new AppError('account_suspended', { reason: suspension?.reason ?? '' });
    }
    return { user: toPerson(found.user) };
  }

  /** Uses the link up. */
  async use(code: string, from: From, userAgent: string): Promise<LoginResponse> {
    const { store, sessions } = this.#options;
    await this.find(code, from);
    const login = await sessions.startBy(
      async (session) => await store.useSignInLink({ ...session, codeHash: codeHash(code) }),
      userAgent,
    );
    if (!login) throw new AppError('reset_not_found');
    return login;
  }
}

/** Of something that no other code is: a link to sign in sets no password, and the other way round. */
function codeHash(code: string): string {
  return hashOf(`sign-in ${code}`);
}

function toPerson({ id, username }: UserRow) {
  return { user_id: id, username };
}
