/** The session in the storage that all tabs share: the tokens, their user, and why the session ended. */
import type { Tokens, User } from '../../protocol/rest/accounts.ts';
import { isUser } from '../api/responses.ts';
import { randomHex } from '../random.ts';
import { type KeyValueStorage, PatientStorage } from './storage.ts';

/** The keys that a session uses in its storage. */
export const STORAGE_KEYS = {
  access: 'chat_access',
  refresh: 'chat_refresh',
  user: 'chat_user',
  /** The Idempotency-Key for the next refresh, so that any tab can repeat it when the response is lost. */
  refreshKey: 'chat_refresh_key',
  /** Why the session ended, for the other tabs. */
  endedBy: 'chat_ended_by',
} as const;

export interface StoredTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Why a session ended, as the tab that ended it records it for the others. */
export type EndedBy = 'signed_out' | 'expired';

export class StoredSession {
  readonly #storage: PatientStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = new PatientStorage(storage);
  }

  /** Null unless both tokens are present: the writes of another tab arrive key by key. */
  get tokens(): StoredTokens | null {
    const access = this.#storage.getItem(STORAGE_KEYS.access);
    const refresh = this.#storage.getItem(STORAGE_KEYS.refresh);
    return access === null || refresh === null ? null : { access, refresh };
  }

  /** The user of the tokens; null without tokens. */
  get user(): User | null {
    const text = this.#storage.getItem(STORAGE_KEYS.user);
    if (text === null || this.tokens === null) return null;
    try {
      const user: unknown = JSON.parse(text);
      return isUser(user) ? user : null;
    } catch {
      return null;
    }
  }

  /** The Idempotency-Key for the exchange of the stored refresh token. */
  refreshKey(): string {
    const stored = this.#storage.getItem(STORAGE_KEYS.refreshKey);
    if (stored !== null) return stored;
    const key = randomHex(16);
    this.#storage.setItem(STORAGE_KEYS.refreshKey, key);
    return key;
  }

  get hasExpired(): boolean {
    return this.#storage.getItem(STORAGE_KEYS.endedBy) === 'expired';
  }

  begin(user: User, tokens: Tokens): void {
    this.#storage.setItem(STORAGE_KEYS.user, JSON.stringify(user));
    this.store(tokens);
  }

  /** Writes the access token last, and `end` removes it first: other tabs watch that key. */
  store(tokens: Tokens): void {
    this.#storage.removeItem(STORAGE_KEYS.endedBy);
    this.#storage.setItem(STORAGE_KEYS.refresh, tokens.refresh_token);
    this.#storage.setItem(STORAGE_KEYS.refreshKey, randomHex(16));
    this.#storage.setItem(STORAGE_KEYS.access, tokens.access_token);
  }

  end(by: EndedBy): void {
    this.#storage.setItem(STORAGE_KEYS.endedBy, by);
    const { access, refresh, refreshKey, user } = STORAGE_KEYS;
    for (const key of [access, refresh, refreshKey, user]) this.#storage.removeItem(key);
  }

  /** Another tab has written `key` (null: all keys). Returns whether a session may have started or ended. */
  changedElsewhere(key: string | null): boolean {
    if (key !== STORAGE_KEYS.access && key !== null) return false;
    this.#storage.forgetUnwritten();
    return true;
  }
}
