/** The lock and the storage that tabs share are not in step: a tab may get the lock before the writes made under it. */
import { expect, test } from 'vitest';
import type { Tokens } from '../../protocol/rest/accounts.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type KeyValueStorage, memoryStorage } from './storage.ts';
import { STORAGE_KEYS, StoredSession } from './stored-session.ts';
import { TokenRefresh } from './token-refresh.ts';

const FIRST = { access: 'access0', refresh: 'refresh0' };

test('a tab that cannot see the new pair yet repeats the same exchange: same token, same key, same successor', async () => {
  const { exchanges, one, other } = twoTabs();
  expect(await one.renew()).toBe('access1');
  expect(await other.renew()).toBe('access2');
  expect(exchanges).toEqual(['refresh0 key0', 'refresh0 key0']);
  expect(other.stored.tokens).toEqual({ access: 'access2', refresh: one.stored.tokens?.refresh });
});

test('when the new pair arrives during the repeated exchange, the tab uses that pair and writes nothing', async () => {
  const { exchanges, one, other } = twoTabs();
  await one.renew();
  const renewed = other.renew();
  other.see(one);
  expect(await renewed).toBe('access1');
  expect(exchanges).toHaveLength(2);
  expect(other.stored.tokens).toEqual(one.stored.tokens);
  expect(other.stored.refreshKey()).toBe(one.stored.refreshKey());
});

test('a tab that sees the new pair exchanges nothing', async () => {
  const { exchanges, one, other } = twoTabs();
  await one.renew();
  other.see(one);
  expect(await other.renew()).toBe('access1');
  expect(exchanges).toHaveLength(1);
});

/** Two tabs of one session, each with its own view of the storage: neither sees the other's writes before `see`. */
function twoTabs() {
  const exchanges: string[] = [];
  /** As the server does: the successor depends on token and key, and each access token is another one. */
  const refresh = async (token: string, key: string): Promise<Tokens> => {
    exchanges.push(`${token} ${key}`);
    const access_token = `access${exchanges.length}`;
    return { access_token, refresh_token: `successor of ${token} ${key}`, expires_in: 900 };
  };
  return { exchanges, one: tab(refresh), other: tab(refresh) };
}

function tab(refresh: (token: string, key: string) => Promise<Tokens>) {
  const storage = memoryStorage();
  storage.setItem(STORAGE_KEYS.access, FIRST.access);
  storage.setItem(STORAGE_KEYS.refresh, FIRST.refresh);
  storage.setItem(STORAGE_KEYS.refreshKey, 'key0');
  const stored = new StoredSession(storage);
  const unexpected = async () => {
    throw new Error('not part of a refresh');
  };
  const refreshing = new TokenRefresh({
    api: { refresh, register: unexpected, login: unexpected, loginByLink: unexpected, logout: unexpected },
    stored,
    // The lock is free: the other tab has released it.
    locks: { request: (_name, task) => task() },
    clock: new ManualClock(),
    random: () => 0,
    onGone: () => expect.unreachable('the tokens are there'),
    onExpired: () => expect.unreachable('the session has not expired'),
  });
  return {
    stored,
    storage,
    renew: () => refreshing.renew(FIRST, 1),
    /** The writes of another tab arrive. */
    see(from: { storage: KeyValueStorage }) {
      for (const name of [STORAGE_KEYS.refresh, STORAGE_KEYS.refreshKey, STORAGE_KEYS.access]) {
        storage.setItem(name, from.storage.getItem(name) ?? '');
      }
    },
  };
}
