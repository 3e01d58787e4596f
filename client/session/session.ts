/** The signed-in user of this tab and all others, and requests in that user's name. */
import type { LoginResponse, User } from '../../protocol/rest/accounts.ts';
import type { AuthApi } from '../api/api.ts';
import { ApiError, signedOut } from '../api/api-error.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { KeyValueStorage } from './storage.ts';
import { type EndedBy, StoredSession, type StoredTokens } from './stored-session.ts';
import { type Locks, TokenRefresh } from './token-refresh.ts';

/** Why nobody is signed in. */
export type SignOutReason = 'never_signed_in' | 'signed_out' | 'signed_out_elsewhere' | 'expired';

/** The signed-in user, or why there is none. */
export type SessionState =
  | { readonly status: 'signed_in'; readonly user: User }
  | { readonly status: 'signed_out'; readonly reason: SignOutReason };

export interface SessionOptions {
  readonly api: AuthApi;
  readonly storage: KeyValueStorage;
  /** `navigator.locks`. Browsers have it in secure contexts only. */
  readonly locks?: Locks | undefined;
  /** The window: its `storage` events report the writes of other tabs. */
  readonly events?: StorageEvents | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

type StorageListener = (event: { readonly key: string | null }) => void;

/** The part of a `Window` that a session uses. */
export interface StorageEvents {
  addEventListener(type: 'storage', listener: StorageListener): void;
  removeEventListener(type: 'storage', listener: StorageListener): void;
}

/** The signed-in user of this tab and all others: `ChatClient.session`. */
export class Session {
  readonly #api: AuthApi;
  readonly #stored: StoredSession;
  readonly #refresh: TokenRefresh;
  readonly #listeners = new Set<(state: SessionState) => void>();
  readonly #unsubscribe: () => void;
  #state: SessionState;
  /** The name of a sign-up that did not lead to a session, though the account may have been created. */
  #registering: string | null = null;

  /** @internal `ChatClient` creates it. */
  constructor({ api, storage, locks, events, clock = systemClock, random = Math.random }: SessionOptions) {
    this.#api = api;
    this.#stored = new StoredSession(storage);
    this.#refresh = new TokenRefresh({
      api,
      stored: this.#stored,
      locks,
      clock,
      random,
      onGone: () => this.#gone(),
      onExpired: () => this.#end('expired'),
    });
    const { user } = this.#stored;
    this.#state =
      user === null ? { status: 'signed_out', reason: 'never_signed_in' } : { status: 'signed_in', user };
    const onStorage: StorageListener = ({ key }) => {
      if (this.#stored.changedElsewhere(key)) this.#syncWithStored();
    };
    events?.addEventListener('storage', onStorage);
    this.#unsubscribe = () => events?.removeEventListener('storage', onStorage);
  }

  /** @internal Ends the sync with other tabs. */
  close(): void {
    this.#unsubscribe();
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` after each change of state, until the returned function is called. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Creates the account and signs in to it; rejects with an `ApiError`. When an earlier attempt with this name got no
   * response, a name that is taken now may be that attempt's account: then the password decides. `invite`:
   * the code of an invitation, whose room the new user joins; 404 when it has ended.
   */
  async signUp(username: string, password: string, invite?: string): Promise<User> {
    const mayBeOurs = this.#registering === username;
    this.#registering = username;
    try {
      await this.#api.register(username, password, invite);
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryable) throw error;
      if (error.status !== 409 || !mayBeOurs) {
        this.#registering = null;
        throw error;
      }
      return this.signIn(username, password).catch((refused) => {
        throw refused instanceof ApiError && refused.status === 401 ? error : refused;
      });
    }
    return this.signIn(username, password);
  }

  /** Rejects with an `ApiError`. */
  async signIn(username: string, password: string): Promise<User> {
    return this.#begin(await this.#api.login(username, password));
  }

  /** With the code of a link that the operator has made, once. Rejects with an `ApiError`: 404 when it has ended. */
  async signInByLink(code: string): Promise<User> {
    return this.#begin(await this.#api.loginByLink(code));
  }

  #begin(login: LoginResponse): User {
    this.#stored.begin(login.user, login);
    this.#registering = null;
    this.#set({ status: 'signed_in', user: login.user });
    return login.user;
  }

  /** Ends the login in every tab and on the server. A failure of the server is ignored. */
  async signOut(): Promise<void> {
    const { tokens } = this.#stored;
    this.#end('signed_out');
    if (tokens !== null) await this.#refresh.revoke(tokens.refresh);
  }

  /**
   * @internal Runs `call` with the access token. When the server rejects that (401), the tokens are renewed, once for
   * all concurrent callers, and `call` runs once more. Rejects with an `ApiError`; with 401 `signed out` when the
   * session has ended.
   */
  async authorized<T>(call: (access: string) => Promise<T>): Promise<T> {
    const state = this.#state;
    const tokens = this.#tokens();
    try {
      return await call(tokens.access);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    const access = await this.#renew(tokens);
    this.#checkUnchanged(state);
    return call(access);
  }

  /**
   * Exchanges the tokens now, and in a browser renews the cookie by which pages show files. The client does so by itself
   * when the server asks for it. Rejects with an `ApiError`.
   */
  async renew(): Promise<void> {
    await this.#renew(this.#tokens());
  }

  #renew(refused: StoredTokens): Promise<string> {
    const userId = this.#state.status === 'signed_in' ? this.#state.user.id : null;
    return this.#refresh.renew(refused, userId);
  }

  #tokens(): StoredTokens {
    this.#checkUnchanged(this.#state);
    const { tokens } = this.#stored;
    if (tokens === null) throw signedOut();
    return tokens;
  }

  /** Throws when the tokens in the storage are of another user by now, who has signed in in another tab. */
  #checkUnchanged(state: SessionState): void {
    this.#gone();
    if (this.#state !== state) throw signedOut();
  }

  #end(by: EndedBy): void {
    this.#stored.end(by);
    this.#set({ status: 'signed_out', reason: by });
  }

  /** The tokens have changed without an event, as when this tab's storage was cleared. */
  #gone(): void {
    if (this.#state.status === 'signed_in') this.#syncWithStored();
  }

  #syncWithStored(): void {
    const { user } = this.#stored;
    if (user !== null) {
      if (this.#state.status !== 'signed_in' || this.#state.user.id !== user.id) {
        this.#set({ status: 'signed_in', user });
      }
    } else if (this.#state.status === 'signed_in') {
      this.#set({
        status: 'signed_out',
        reason: this.#stored.hasExpired ? 'expired' : 'signed_out_elsewhere',
      });
    }
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
