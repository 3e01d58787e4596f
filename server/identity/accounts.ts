/** Registering and logging in. */
import { AppError } from '../../protocol/errors.ts';
import type { LoginAnswer, User } from '../../protocol/rest.ts';
import { nameKey, normalizeUsername } from '../../protocol/text.ts';
import type { Decision, Limiter } from '../limits/limiter.ts';
import type { Store } from '../storage/store.ts';
import { mixesScripts, skeleton } from './names/skeleton.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface AccountsOptions {
  store: Store;
  sessions: Sessions;
  passwords: Passwords;
  /** Counts failed logins by account and address, so that guessing is slow and the owner elsewhere is never locked out. */
  failedLogins: Limiter;
  now?: () => number;
}

export class Accounts {
  readonly #options: Required<AccountsOptions>;

  constructor(options: AccountsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** `username` and `password` in their normal forms (protocol/rest.ts gives them so). */
  async register({ username, password }: { username: string; password: string }): Promise<User> {
    const { store, passwords, now } = this.#options;
    const key = nameKey(username);
    // Asked first, because hashing is dear; the insert is what decides.
    if (await store.findUser(key)) throw new AppError('username_taken');
    const passwordHash = await passwords.hash(password);
    const looks = { skeleton: skeleton(key), mixesScripts: mixesScripts(username) };
    const created = await store.createUser({ username, key, ...looks, passwordHash, now: now() });
    if (created.outcome === 'taken') throw new AppError('username_taken');
    return created.user;
  }

  async login(
    credentials: { username: string; password: string },
    from: { addressKey: string; userAgent: string },
  ): Promise<LoginAnswer> {
    const { store, sessions, passwords, failedLogins } = this.#options;
    // A name that nobody can have is nobody's; it is judged like any other, and all such names count as one.
    const key = nameKey(normalizeUsername(credentials.username) ?? '');
    const counter = `${from.addressKey} ${key}`;
    refuse(await failedLogins.check(counter));
    const user = await store.findUser(key);
    const matches = await passwords.verify(user?.passwordHash, credentials.password);
    if (!user || !matches) {
      // Of many guesses at once only as many are answered as the limit lets through.
      refuse(await failedLogins.take(counter));
      throw new AppError('invalid_credentials');
    }
    refuse(await failedLogins.check(counter));
    const answer = await sessions.start(user, from.userAgent);
    return { ...answer, user: { id: user.id, username: user.username } };
  }
}

function refuse(decision: Decision): void {
  if (!decision.allowed) throw new AppError('too_many_requests', { retryAfterMs: decision.retryAfterMs });
}
