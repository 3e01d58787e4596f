/**
 * Exchanges a refused pair of tokens for the next one: once for all who wait, one tab at a time, and again under the same
 * key when the answer was lost.
 */
import type { Tokens } from '../../protocol/rest.ts';
import { ApiError, type AuthApi, isRefreshRefused, SIGNED_OUT } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { StoredSession, StoredTokens } from './stored-session.ts';

/** What is needed of a `LockManager`. */
export interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>;
}

export interface TokenRefreshOptions {
  readonly api: AuthApi;
  readonly stored: StoredSession;
  readonly locks: Locks | undefined;
  readonly clock: Clock;
  /** The tokens are not there any more. */
  readonly onGone: () => void;
  /** The server will never take this refresh token again. */
  readonly onExpired: () => void;
}

/** Pauses between the tries of one refresh. */
const REFRESH_RETRY_MS = [500, 2000] as const;
/** Who is asked to wait longer than this leaves the rest to the next request. */
const LONGEST_REFRESH_PAUSE_MS = 5000;

/** How often, and at what distance, another tab's access token is looked for when its refresh token is there. */
const ARRIVAL_TRIES = 20;
const ARRIVAL_PAUSE_MS = 50;

export class TokenRefresh {
  readonly #options: TokenRefreshOptions;
  readonly #stored: StoredSession;
  #refreshing: Promise<string> | null = null;

  constructor(options: TokenRefreshOptions) {
    this.#options = options;
    this.#stored = options.stored;
  }

  /** A working access token in place of the one that was refused. `userId`: who is signed in here, or null. */
  renew(refused: StoredTokens, userId: number | null): Promise<string> {
    this.#refreshing ??= this.#alone(userId, () => this.#exchange(refused)).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Tells the server to forget a login; what it says to that does not matter here. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      await this.#options.api.logout(refreshToken);
    } catch (error) {
      // Unreachable or already gone: the tokens are forgotten here and run out there.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** One tab at a time. Without locks the shared idempotency key still gives all tabs the same pair. */
  async #alone(userId: number | null, task: () => Promise<string>): Promise<string> {
    const { locks } = this.#options;
    if (locks === undefined || userId === null) return task();
    return locks.request(`chat_refresh_${userId}`, task);
  }

  async #exchange(refused: StoredTokens): Promise<string> {
    const tokens = await this.#arrived(refused);
    if (tokens === null) {
      this.#options.onGone();
      throw signedOut();
    }
    // Another tab may have renewed the pair while we waited for the lock.
    if (tokens.access !== refused.access) return tokens.access;
    let successor: Tokens;
    try {
      successor = await this.#refreshPatiently(tokens.refresh, this.#stored.refreshKey());
    } catch (error) {
      const now = this.#stored.tokens;
      if (now !== null && now.refresh !== tokens.refresh) return now.access;
      if (!isRefreshRefused(error)) throw error;
      this.#options.onExpired();
      throw signedOut();
    }
    if (this.#stored.tokens?.refresh !== tokens.refresh) return this.#superseded(successor);
    this.#stored.store(successor);
    return successor.access_token;
  }

  /**
   * What another tab has stored arrives here key by key, and may do so after the lock: with another refresh token, another
   * access token is on its way.
   */
  async #arrived(refused: StoredTokens): Promise<StoredTokens | null> {
    let { tokens } = this.#stored;
    for (let tries = 0; tries < ARRIVAL_TRIES; tries++) {
      if (tokens === null || tokens.refresh === refused.refresh || tokens.access !== refused.access) break;
      await this.#pause(ARRIVAL_PAUSE_MS);
      tokens = this.#stored.tokens;
    }
    return tokens;
  }

  /** The storage changed while the exchange ran: somebody signed out, or another tab exchanged the same token. */
  async #superseded(successor: Tokens): Promise<string> {
    const now = this.#stored.tokens;
    if (now !== null) return now.access;
    await this.revoke(successor.refresh_token);
    throw signedOut();
  }

  /** A lost answer may hide a successful exchange, so the same exchange (same key) is asked for again. */
  async #refreshPatiently(refreshToken: string, key: string): Promise<Tokens> {
    const { api } = this.#options;
    for (const pauseMs of REFRESH_RETRY_MS) {
      try {
        return await api.refresh(refreshToken, key);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.retryable) throw error;
        const delayMs = error.retryAfterMs ?? pauseMs;
        if (delayMs > LONGEST_REFRESH_PAUSE_MS) throw error;
        await this.#pause(delayMs);
      }
    }
    return api.refresh(refreshToken, key);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }
}

/** The session has ended, for good: nothing to be tried again. */
export function signedOut(): ApiError {
  return new ApiError(401, SIGNED_OUT);
}
