/**
 * Exchanges a rejected pair of tokens for the next one: once for all callers, one tab at a time, and again with the
 * same key when the response was lost.
 */
import type { Tokens } from '../../protocol/rest/accounts.ts';
import type { AuthApi } from '../api/api.ts';
import { ApiError, isRefreshRefused, signedOut } from '../api/api-error.ts';
import type { Clock } from '../clock.ts';
import type { StoredSession, StoredTokens } from './stored-session.ts';

/** The part of a `LockManager` that the SDK uses. */
export interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>;
}

export interface TokenRefreshOptions {
  readonly api: AuthApi;
  readonly stored: StoredSession;
  readonly locks: Locks | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** The tokens have disappeared from the storage. */
  readonly onGone: () => void;
  /** The server rejects the refresh token for good. */
  readonly onExpired: () => void;
}

/** The pauses between the attempts of one refresh. */
const REFRESH_RETRY_MS = [500, 2000] as const;
/** When the server asks for a longer pause, the refresh fails, and a later request repeats it. */
const LONGEST_REFRESH_PAUSE_MS = 5000;

/** How often and at what interval to look for another tab's access token once its refresh token has arrived. */
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

  /** Resolves with a valid access token. `refused`: the rejected pair; `userId`: the user signed in here, or null. */
  renew(refused: StoredTokens, userId: number | null): Promise<string> {
    this.#refreshing ??= this.#alone(userId, () => this.#exchange(refused)).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Revokes a login on the server. The response does not matter here. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      await this.#options.api.logout(refreshToken);
    } catch (error) {
      // The server is unreachable, or the login is already revoked. The tokens are deleted here and expire there.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** One tab at a time. Without locks, the shared idempotency key still gives all tabs the same pair. */
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
    // Another tab may have renewed the pair while this one waited for the lock.
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
   * The writes of another tab arrive key by key, possibly after the lock was released. A new refresh token means that
   * the new access token is about to arrive.
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

  /** The storage changed during the exchange: the user signed out, or another tab exchanged the same token. */
  async #superseded(successor: Tokens): Promise<string> {
    const now = this.#stored.tokens;
    if (now !== null) return now.access;
    await this.revoke(successor.refresh_token);
    throw signedOut();
  }

  /** A lost response may hide a successful exchange, so the same exchange is repeated with the same key. */
  async #refreshPatiently(refreshToken: string, key: string): Promise<Tokens> {
    const { api } = this.#options;
    for (const pauseMs of REFRESH_RETRY_MS) {
      try {
        return await api.refresh(refreshToken, key);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.retryable) throw error;
        const { retryAfterMs = 0 } = error;
        if (retryAfterMs > LONGEST_REFRESH_PAUSE_MS) throw error;
        await this.#pause(Math.max(pauseMs, retryAfterMs) * (1 + this.#options.random()));
      }
    }
    return api.refresh(refreshToken, key);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }
}
