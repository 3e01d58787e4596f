/** Who is signed in, and the tokens that prove it: kept in storage, renewed once for everybody who waits. */
import type { Tokens, User } from '../protocol/rest.ts';
import { isUser } from './answers.ts';
import { ApiError, type AuthApi, isRefreshRefused, SIGNED_OUT } from './api.ts';
import { type Clock, systemClock } from './clock.ts';
import { randomHex } from './random.ts';
import { type KeyValueStorage, PatientStorage } from './storage.ts';

export const STORAGE_KEYS = {
  access: 'chat_access',
  refresh: 'chat_refresh',
  user: 'chat_user',
  lastRoom: 'chat_last_room',
  /** Names the coming exchange of the stored refresh token, so that any tab may repeat it when its answer is lost. */
  refreshKey: 'chat_refresh_key',
  /** Tells the other tabs why the tokens went. */
  endedBy: 'chat_ended_by',
} as const;

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

/** What is needed of a `LockManager`. */
export interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>;
}

type StorageListener = (event: { readonly key: string | null }) => void;

/** What is needed of a `Window`. */
export interface StorageEvents {
  addEventListener(type: 'storage', listener: StorageListener): void;
  removeEventListener(type: 'storage', listener: StorageListener): void;
}

interface StoredTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Pauses between the tries of one refresh. */
const REFRESH_RETRY_MS = [500, 2000] as const;
/** Who is asked to wait longer than this leaves the rest to the next request. */
const LONGEST_REFRESH_PAUSE_MS = 5000;

/** How often, and at what distance, another tab's access token is looked for when its refresh token is there. */
const ARRIVAL_TRIES = 20;
const ARRIVAL_PAUSE_MS = 50;

export class Session {
  readonly #api: AuthApi;
  readonly #storage: PatientStorage;
  readonly #locks: Locks | undefined;
  readonly #clock: Clock;
  readonly #listeners = new Set<(state: SessionState) => void>();
  readonly #unfollow: () => void;
  #state: SessionState;
  #refreshing: Promise<string> | null = null;
  /** The name of a sign-up that did not end in a session, though the account may have been made. */
  #registering: string | null = null;

  constructor(options: SessionOptions) {
    this.#api = options.api;
    this.#storage = new PatientStorage(options.storage);
    this.#locks = options.locks;
    this.#clock = options.clock ?? systemClock;
    const user = this.#storedUser();
    this.#state =
      user === null ? { status: 'signed_out', reason: 'never_signed_in' } : { status: 'signed_in', user };
    // The access token is written last and removed first; null means that everything was cleared.
    const heard = ({ key }: { readonly key: string | null }) => {
      if (key !== STORAGE_KEYS.access && key !== null) return;
      this.#storage.forgetUnwritten();
      this.#followOtherTab();
    };
    options.events?.addEventListener('storage', heard);
    this.#unfollow = () => options.events?.removeEventListener('storage', heard);
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
    this.#storage.setItem(STORAGE_KEYS.user, JSON.stringify(answer.user));
    this.#store(answer);
    this.#registering = null;
    this.#set({ status: 'signed_in', user: answer.user });
    return answer.user;
  }

  /** Ends this login here, in every tab and on the server; what the server says to it does not matter here. */
  async signOut(): Promise<void> {
    const tokens = this.#tokens();
    this.#end('signed_out');
    if (tokens !== null) await this.#revoke(tokens.refresh);
  }

  /**
   * Runs `call` with the access token; when that is refused (401), renews the pair once, for all who wait, and runs
   * it once more. Rejects with an `ApiError`: `isSignedOut` when the session has ended, for good.
   */
  async authorized<T>(call: (access: string) => Promise<T>): Promise<T> {
    const tokens = this.#tokens();
    if (tokens === null) throw this.#gone();
    try {
      return await call(tokens.access);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    return call(await this.#renew(tokens));
  }

  /** Exchanges the tokens now, for a server that says that the login has ended. Rejects as `authorized` does. */
  async renew(): Promise<void> {
    const tokens = this.#tokens();
    if (tokens === null) throw this.#gone();
    await this.#renew(tokens);
  }

  /** A working access token in place of the one that was refused. */
  #renew(refused: StoredTokens): Promise<string> {
    this.#refreshing ??= this.#alone(() => this.#exchange(refused)).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** One tab at a time. Without locks the shared idempotency key still gives all tabs the same pair. */
  async #alone(task: () => Promise<string>): Promise<string> {
    if (this.#locks === undefined || this.#state.status !== 'signed_in') return task();
    return this.#locks.request(`chat_refresh_${this.#state.user.id}`, task);
  }

  async #exchange(refused: StoredTokens): Promise<string> {
    const tokens = await this.#arrived(refused);
    if (tokens === null) throw this.#gone();
    // Another tab may have renewed the pair while we waited for the lock.
    if (tokens.access !== refused.access) return tokens.access;
    let successor: Tokens;
    try {
      successor = await this.#refreshPatiently(tokens.refresh, this.#refreshKey());
    } catch (error) {
      const now = this.#tokens();
      if (now !== null && now.refresh !== tokens.refresh) return now.access;
      if (!isRefreshRefused(error)) throw error;
      this.#end('expired');
      throw ended();
    }
    if (this.#tokens()?.refresh !== tokens.refresh) return this.#superseded(successor);
    this.#store(successor);
    return successor.access_token;
  }

  /**
   * What another tab has stored arrives here key by key, and may do so after the lock: with another refresh token, another
   * access token is on its way.
   */
  async #arrived(refused: StoredTokens): Promise<StoredTokens | null> {
    let tokens = this.#tokens();
    for (let tries = 0; tries < ARRIVAL_TRIES; tries++) {
      if (tokens === null || tokens.refresh === refused.refresh || tokens.access !== refused.access) break;
      await new Promise<void>((resolve) => this.#clock.after(ARRIVAL_PAUSE_MS, resolve));
      tokens = this.#tokens();
    }
    return tokens;
  }

  /** The storage changed while the exchange ran: somebody signed out, or another tab exchanged the same token. */
  async #superseded(successor: Tokens): Promise<string> {
    const now = this.#tokens();
    if (now !== null) return now.access;
    await this.#revoke(successor.refresh_token);
    throw ended();
  }

  /** A lost answer may hide a successful exchange, so the same exchange (same key) is asked for again. */
  async #refreshPatiently(refreshToken: string, key: string): Promise<Tokens> {
    for (const pauseMs of REFRESH_RETRY_MS) {
      try {
        return await this.#api.refresh(refreshToken, key);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.retryable) throw error;
        const delayMs = error.retryAfterMs ?? pauseMs;
        if (delayMs > LONGEST_REFRESH_PAUSE_MS) throw error;
        await new Promise<void>((resolve) => this.#clock.after(delayMs, resolve));
      }
    }
    return this.#api.refresh(refreshToken, key);
  }

  async #revoke(refreshToken: string): Promise<void> {
    try {
      await this.#api.logout(refreshToken);
    } catch (error) {
      // Unreachable or already gone: the tokens are forgotten here and run out there.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #tokens(): StoredTokens | null {
    const access = this.#storage.getItem(STORAGE_KEYS.access);
    const refresh = this.#storage.getItem(STORAGE_KEYS.refresh);
    return access === null || refresh === null ? null : { access, refresh };
  }

  #storedUser(): User | null {
    const text = this.#storage.getItem(STORAGE_KEYS.user);
    if (text === null || this.#tokens() === null) return null;
    try {
      const user: unknown = JSON.parse(text);
      return isUser(user) ? user : null;
    } catch {
      return null;
    }
  }

  #refreshKey(): string {
    const stored = this.#storage.getItem(STORAGE_KEYS.refreshKey);
    if (stored !== null) return stored;
    const key = randomHex(16);
    this.#storage.setItem(STORAGE_KEYS.refreshKey, key);
    return key;
  }

  #store(tokens: Tokens): void {
    this.#storage.removeItem(STORAGE_KEYS.endedBy);
    this.#storage.setItem(STORAGE_KEYS.refresh, tokens.refresh_token);
    this.#storage.setItem(STORAGE_KEYS.refreshKey, randomHex(16));
    this.#storage.setItem(STORAGE_KEYS.access, tokens.access_token);
  }

  #end(reason: 'signed_out' | 'expired'): void {
    this.#storage.setItem(STORAGE_KEYS.endedBy, reason);
    const { access, refresh, refreshKey, user } = STORAGE_KEYS;
    for (const key of [access, refresh, refreshKey, user]) this.#storage.removeItem(key);
    this.#set({ status: 'signed_out', reason });
  }

  /** The tokens are not there any more, and nobody said why: whoever removed them tells no other tab. */
  #gone(): ApiError {
    if (this.#state.status === 'signed_in') this.#followOtherTab();
    return ended();
  }

  #followOtherTab(): void {
    const user = this.#storedUser();
    if (user !== null) {
      if (this.#state.status !== 'signed_in' || this.#state.user.id !== user.id) {
        this.#set({ status: 'signed_in', user });
      }
    } else if (this.#state.status === 'signed_in') {
      const expired = this.#storage.getItem(STORAGE_KEYS.endedBy) === 'expired';
      this.#set({ status: 'signed_out', reason: expired ? 'expired' : 'signed_out_elsewhere' });
    }
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

function ended(): ApiError {
  return new ApiError(401, SIGNED_OUT);
}
