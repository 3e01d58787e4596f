/** Who is signed in, here and in all tabs, and what is called in their name. */
import type { User } from '../../protocol/rest.ts';
import { ApiError, type AuthApi } from '../api/api.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { KeyValueStorage } from './storage.ts';
import { type EndedBy, StoredSession, type StoredTokens } from './stored-session.ts';
import { type Locks, signedOut, TokenRefresh } from './token-refresh.ts';

export type SignOutReason = 'never_signed_in' | 'signed_out' | 'signed_out_elsewhere' | 'expired';

export type SessionState =
  | { readonly status: 'signed_in'; readonly user: User }
  | { readonly status: 'signed_out'; readonly reason: SignOutReason };

export interface SessionOptions {
  readonly api: AuthApi;
  readonly storage: KeyValueStorage;
  /** `navigator.locks`, where there is one: browsers only have it in a secure context. */
  readonly locks?: Locks | undefined;
  /** The window, whose `storage` events tell what other tabs did. */
  readonly events?: StorageEvents | undefined;
  readonly clock?: Clock | undefined;
}

type StorageListener = (event: { readonly key: string | null }) => void;

/** What is needed of a `Window`. */
export interface StorageEvents {
  addEventListener(type: 'storage', listener: StorageListener): void;
  removeEventListener(type: 'storage', listener: StorageListener): void;
}

export class Session {
  readonly #api: AuthApi;
  readonly #stored: StoredSession;
  readonly #refresh: TokenRefresh;
  readonly #listeners = new Set<(state: SessionState) => void>();
  readonly #unfollow: () => void;
  #state: SessionState;
  /** The name of a sign-up that did not end in a session, though the account may have been made. */
  #registering: string | null = null;

  constructor({ api, storage, locks, events, clock = systemClock }: SessionOptions) {
    this.#api = api;
    this.#stored = new StoredSession(storage);
    this.#refresh = new TokenRefresh({
      api,
      stored: this.#stored,
      locks,
      clock,
      onGone: () => this.#gone(),
      onExpired: () => this.#end('expired'),
    });
    const { user } = this.#stored;
    this.#state =
      user === null ? { status: 'signed_out', reason: 'never_signed_in' } : { status: 'signed_in', user };
    const heard: StorageListener = ({ key }) => {
      if (this.#stored.heardOf(key)) this.#followOtherTab();
    };
    events?.addEventListener('storage', heard);
    this.#unfollow = () => events?.removeEventListener('storage', heard);
  }

  /** Hears of other tabs no more. */
  close(): void {
    this.#unfollow();
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` after each change of state; returns what ends that. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Makes the account and signs in to it. When an earlier try of this name got no answer, or could not sign in, a name
   * that is taken now may be the one that it made: then the password decides.
   */
  async signUp(username: string, password: string): Promise<User> {
    const mayBeOurs = this.#registering === username;
    this.#registering = username;
    try {
      await this.#api.register(username, password);
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

  async signIn(username: string, password: string): Promise<User> {
    const answer = await this.#api.login(username, password);
    this.#stored.begin(answer.user, answer);
    this.#registering = null;
    this.#set({ status: 'signed_in', user: answer.user });
    return answer.user;
  }

  /** Ends this login here, in every tab and on the server; what the server says to it does not matter here. */
  async signOut(): Promise<void> {
    const { tokens } = this.#stored;
    this.#end('signed_out');
    if (tokens !== null) await this.#refresh.revoke(tokens.refresh);
  }

  /**
   * Runs `call` with the access token; when that is refused (401), renews the pair once, for all who wait, and runs
   * it once more. Rejects with an `ApiError`: `isSignedOut` when the session has ended, for good.
   */
  async authorized<T>(call: (access: string) => Promise<T>): Promise<T> {
    const tokens = this.#tokens();
    try {
      return await call(tokens.access);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    return call(await this.#renew(tokens));
  }

  /** Exchanges the tokens now, for a server that says that the login has ended. Rejects as `authorized` does. */
  async renew(): Promise<void> {
    await this.#renew(this.#tokens());
  }

  #renew(refused: StoredTokens): Promise<string> {
    const userId = this.#state.status === 'signed_in' ? this.#state.user.id : null;
    return this.#refresh.renew(refused, userId);
  }

  #tokens(): StoredTokens {
    const { tokens } = this.#stored;
    if (tokens !== null) return tokens;
    this.#gone();
    throw signedOut();
  }

  #end(by: EndedBy): void {
    this.#stored.end(by);
    this.#set({ status: 'signed_out', reason: by });
  }

  /** The tokens are not there any more, and nobody said why: whoever removed them tells no other tab. */
  #gone(): void {
    if (this.#state.status === 'signed_in') this.#followOtherTab();
  }

  #followOtherTab(): void {
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
