/** A server that issues tokens, and a browser whose tabs share its storage. */
import type { Tokens } from '../../protocol/rest/accounts.ts';
import type { AuthApi } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { Session } from '../session/session.ts';
import { type KeyValueStorage, memoryStorage } from '../session/storage.ts';

/**
 * The server's rules for refreshing: a token is exchanged once, and a repeat with the same key returns the same pair.
 */
export class TokenServer implements AuthApi {
  exchanges = 0;
  revoked: string[] = [];
  /** The number of responses that get lost. */
  lostResponses = 0;
  #issued = 0;
  readonly #live = new Set<string>();
  readonly #pairs = new Map<string, Tokens>();
  expired = new Set<string>();

  readonly #taken = new Set<string>();
  /** The number of logins that are refused, and of registrations whose response is lost. */
  busyLogins = 0;
  lostRegistrations = 0;

  register = async (username: string) => {
    if (this.#taken.has(username)) throw new ApiError(409, 'username taken');
    this.#taken.add(username);
    if (this.lostRegistrations-- > 0) throw new ApiError(0, 'no response');
    return { id: 1, username };
  };

  /** Of links that sign ann in, each once. */
  readonly links = new Set<string>();

  loginByLink = async (code: string) => {
    if (!this.links.delete(code)) throw new ApiError(404, 'link not found');
    return await this.login('ann', 'right horse');
  };

  login = async (username: string, password: string) => {
    if (this.busyLogins-- > 0) throw new ApiError(503, 'service unavailable');
    if (password !== 'right horse') throw new ApiError(401, 'invalid credentials');
    return { ...this.#issue(), user: { id: username === 'bo' ? 2 : 1, username } };
  };

  refresh = async (refreshToken: string, key: string) => {
    await Promise.resolve();
    const repeated = this.#pairs.get(`${refreshToken} ${key}`);
    if (repeated === undefined && !this.#live.delete(refreshToken)) {
      throw new ApiError(401, 'invalid refresh token');
    }
    const result = repeated ?? this.#issue();
    if (repeated === undefined) this.exchanges += 1;
    this.#pairs.set(`${refreshToken} ${key}`, result);
    if (this.lostResponses-- > 0) throw new ApiError(0, 'no response');
    return result;
  };

  logout = async (refreshToken: string) => {
    this.revoked.push(refreshToken);
    this.#live.delete(refreshToken);
  };

  /** A request that requires a valid access token. */
  call = async (access: string) => {
    if (this.expired.has(access)) throw new ApiError(401, 'invalid token');
    return access;
  };

  revokeAll(): void {
    this.#live.clear();
  }

  #issue(): Tokens {
    this.#issued += 1;
    const tokens = { access_token: `access${this.#issued}`, refresh_token: `refresh${this.#issued}` };
    this.#live.add(tokens.refresh_token);
    return { ...tokens, expires_in: 900 };
  }
}

/** The tabs of a browser: they share one storage, and each write is an event in the other tabs. */
export class Browser {
  readonly storage = memoryStorage();
  #tabs: ((event: StorageEvent) => void)[] = [];
  #lock: Promise<unknown> = Promise.resolve();

  tab(server: AuthApi, { locks = true } = {}): Session {
    const listeners: ((event: StorageEvent) => void)[] = [];
    const tell = (key: string) => {
      for (const listener of this.#tabs.filter((one) => !listeners.includes(one))) {
        listener({ key } as StorageEvent);
      }
    };
    const storage: KeyValueStorage = {
      getItem: (key) => this.storage.getItem(key),
      setItem: (key, value) => {
        this.storage.setItem(key, value);
        tell(key);
      },
      removeItem: (key) => {
        this.storage.removeItem(key);
        tell(key);
      },
    };
    const events = {
      addEventListener: (_type: string, listener: (event: StorageEvent) => void) => {
        listeners.push(listener);
        this.#tabs.push(listener);
      },
      removeEventListener: (_type: string, listener: (event: StorageEvent) => void) => {
        this.#tabs = this.#tabs.filter((one) => one !== listener);
      },
    } as unknown as Window;
    const request = (_name: string, task: () => Promise<unknown>) => {
      this.#lock = this.#lock.then(task, task);
      return this.#lock;
    };
    return new Session({
      api: server,
      storage,
      events,
      locks: locks ? ({ request } as unknown as LockManager) : undefined,
    });
  }
}

export async function signedIn({ locks = true } = {}) {
  const server = new TokenServer();
  const browser = new Browser();
  const session = browser.tab(server, { locks });
  await session.signIn('ann', 'right horse');
  return { server, browser, session };
}
