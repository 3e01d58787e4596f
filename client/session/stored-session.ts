/** What is kept of a session, in a storage that all tabs share: the tokens, whose they are, and why they went. */
import type { Tokens, User } from '../../protocol/rest.ts';
import { isUser } from '../api/responses.ts';
import { randomHex } from '../random.ts';
import { type KeyValueStorage, PatientStorage } from './storage.ts';

export const STORAGE_KEYS = {
  access: 'chat_access',
  refresh: 'chat_refresh',
  user: 'chat_user',
  /** Names the coming exchange of the stored refresh token, so that any tab may repeat it when its answer is lost. */
  refreshKey: 'chat_refresh_key',
  /** Tells the other tabs why the tokens went. */
  endedBy: 'chat_ended_by',
} as const;

export interface StoredTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Why this login ended, as the tab that ended it tells the others. */
export type EndedBy = 'signed_out' | 'expired';

export class StoredSession {
  readonly #storage: PatientStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = new PatientStorage(storage);
  }

  /** Null unless both are there: what another tab stores arrives key by key. */
  get tokens(): StoredTokens | null {
    const access = this.#storage.getItem(STORAGE_KEYS.access);
    const refresh = this.#storage.getItem(STORAGE_KEYS.refresh);
    return access === null || refresh === null ? null : { access, refresh };
  }

  /** Whose tokens they are; null without tokens. */
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

  /** The access token is written last, and removed first: other tabs go by it. */
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

  /** Another tab has written this key. True when that may have ended or begun a session; null stands for all keys. */
  heardOf(key: string | null): boolean {
    if (key !== STORAGE_KEYS.access && key !== null) return false;
    this.#storage.forgetUnwritten();
    return true;
  }
}
