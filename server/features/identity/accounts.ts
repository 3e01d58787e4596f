/** Registering and logging in. */
import { AppError } from '../../../protocol/errors.ts';
import { usernameCounter, usernameKeys } from '../../../protocol/names.ts';
import type { LoginResponse, User } from '../../../protocol/rest/accounts.ts';
import { nameKey } from '../../../protocol/text.ts';
import type { Store } from '../../data/storage/store.ts';
import { checkOrRefuse, type Decision, type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { formsOfUsername } from '../../rules/names/username.ts';
import { type From, hashOf } from '../rooms/invites.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { Identity } from './tokens.ts';

export interface AccountsOptions {
  store: Store;
  sessions: Sessions;
  passwords: Passwords;
  /** Counts failed logins by account and address: guessing is slow, and the owner, elsewhere, is not locked out. */
  failedLogins: Limiter;
  /** Counts new accounts by address; undefined: no limit. */
  newAccounts: Limiter | undefined;
  now?: () => number;
}

/** The cause of `invalid_credentials` for a user who is there. */
export class FailedLogin extends Error {
  readonly userId: number;

  constructor(userId: number) {
    super('a wrong password');
    this.userId = userId;
  }
}

export class Accounts {
  readonly #options: Required<AccountsOptions>;

  constructor(options: AccountsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /**
   * `username` and `password` in their normal forms, as protocol/rest/accounts.ts returns them. `from`: the address as
   * the limit on new accounts counts it. `isInvited`: the user has taken a use of the invitation.
   */
  async register(
    { username, password, invite }: { username: string; password: string; invite?: string | undefined },
    addressKey: string,
    from: From,
  ): Promise<{ user: User; isInvited: boolean }> {
    const { store, passwords, newAccounts, now } = this.#options;
    const registration = await store.registration();
    const isClosed = registration === 'closed' || (registration === 'invite' && invite === undefined);
    if (isClosed) throw new AppError('registration_closed');
    const names = formsOfUsername(username);
    // The insert decides; this spares the hash where the outcome is certain. Those who may not register learn no names.
    if (registration === 'open' && (await store.findUser(names.key))) throw new AppError('username_taken');
    await checkOrRefuse(newAccounts, from.key);
    const passwordHash = await passwords.hash(password, addressKey);
    // Of many at the same time, only those within the limit get their account.
    await takeOrRefuse(newAccounts, from.key);
    const inviteHash = invite === undefined ? undefined : hashOf(invite);
    const created = await store.createUser({
      ...{ ...names, passwordHash, inviteHash, address: addressKey, now: now() },
    });
    if (created.outcome === 'closed') throw new AppError('registration_closed');
    if (created.outcome === 'taken') throw new AppError('username_taken');
    return { user: created.user, isInvited: created.isInvited === true };
  }

  async login(
    credentials: { username: string; password: string },
    from: { addressKey: string; userAgent: string },
  ): Promise<LoginResponse> {
    const { sessions, passwords, failedLogins } = this.#options;
    // All spellings of a name count as one account, and so do all names that nobody can have.
    const keys = usernameKeys(credentials.username);
    const counter = `${from.addressKey} ${usernameCounter(credentials.username)}`;
    refuse(await failedLogins.check(counter));
    const user = await this.#findFirst(keys);
    const matches = await passwords.verify(user?.passwordHash, credentials.password, from.addressKey);
    if (!user || !matches) {
      // Of many guesses at the same time, only those within the limit learn that they were wrong.
      refuse(await failedLogins.take(counter));
      throw new AppError('invalid_credentials', { cause: user && new FailedLogin(user.id) });
    }
    refuse(await failedLogins.check(counter));
    const login = await sessions.start(user, from.userAgent);
    if (!login) throw await this.#whyNoSession(user.id);
    return login;
  }

  /**
   * `next` in its normal form. All other sessions of the user end. Throws `wrong_password`, and `too_many_requests`
   * after as many wrong ones as a login may have.
   */
  async changePassword(
    identity: Identity,
    { current, next }: { current: string; next: string },
    addressKey: string,
  ): Promise<void> {
    const { store, sessions, passwords, failedLogins } = this.#options;
    const counter = `${addressKey} ${usernameCounter(identity.username)}`;
    refuse(await failedLogins.check(counter));
    const from = (await store.findUser(nameKey(identity.username)))?.passwordHash;
    if (from === undefined || !(await passwords.verify(from, current, addressKey))) {
      refuse(await failedLogins.take(counter));
      throw new AppError('wrong_password');
    }
    refuse(await failedLogins.check(counter));
    const to = await passwords.hash(next, addressKey);
    if (!(await sessions.changePassword(identity, { from, to }))) throw new AppError('wrong_password');
  }

  /** Only somebody with the right password learns that the account is suspended, and why. */
  async #whyNoSession(userId: number): Promise<AppError> {
    const suspension = await this.#options.store.suspension(userId);
    if (!suspension) return new AppError('invalid_credentials');
    return new AppError('account_suspended', { reason: suspension.reason });
  }

  async #findFirst(keys: string[]) {
    for (const key of keys) {
      const user = await this.#options.store.findUser(key);
      if (user) return user;
    }
    return undefined;
  }
}

function refuse(decision: Decision): void {
  if (!decision.allowed) throw new AppError('too_many_requests', { retryAfterMs: decision.retryAfterMs });
}
