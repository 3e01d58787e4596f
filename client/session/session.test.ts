import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Browser, signedIn, TokenServer } from '../testing/session-stage.ts';
import { Session } from './session.ts';
import { memoryStorage } from './storage.ts';
import { STORAGE_KEYS } from './stored-session.ts';

describe('signing up', () => {
  const signUp = (session: Session, password = 'right horse') => session.signUp('ann', password);

  test('signs in as well', async () => {
    const session = new Browser().tab(new TokenServer());
    expect(await signUp(session)).toEqual({ id: 1, username: 'ann' });
    expect(session.state.status).toBe('signed_in');
  });

  test.each(['busyLogins', 'lostRegistrations'] as const)(
    'whose first try was cut short (%s) is finished by the second',
    async (trouble) => {
      const server = new TokenServer();
      server[trouble] = 1;
      const session = new Browser().tab(server);
      await expect(signUp(session)).rejects.toMatchObject({ retryable: true });
      await signUp(session);
      expect(session.state.status).toBe('signed_in');
    },
  );

  test('with a name that is taken is refused, whatever the password', async () => {
    const server = new TokenServer();
    await server.register('ann');
    const session = new Browser().tab(server);
    for (const password of ['right horse', 'wrong horse', 'right horse']) {
      await expect(signUp(session, password)).rejects.toMatchObject({ status: 409 });
    }
    server.lostRegistrations = 1;
    await expect(session.signUp('bo', 'wrong horse')).rejects.toMatchObject({ status: 0 });
    await expect(session.signUp('bo', 'wrong horse')).rejects.toMatchObject({ status: 409 });
  });
});

test('a link signs in once; another use is refused and leaves nobody signed in', async () => {
  const server = new TokenServer();
  server.links.add('code');
  const session = new Browser().tab(server);
  expect(await session.signInByLink('code')).toEqual({ id: 1, username: 'ann' });
  expect(session.state).toEqual({ status: 'signed_in', user: { id: 1, username: 'ann' } });
  const other = new Browser().tab(server);
  await expect(other.signInByLink('code')).rejects.toMatchObject({ status: 404 });
  expect(other.state.status).toBe('signed_out');
});

describe('a 401 causes one refresh for all waiting requests, then each request is repeated once', () => {
  test('twenty requests at once', async () => {
    const { server, session } = await signedIn();
    server.expired.add('access1');
    const results = await Promise.all(Array.from({ length: 20 }, () => session.authorized(server.call)));
    expect(new Set(results)).toEqual(new Set(['access2']));
    expect(server.exchanges).toBe(1);
  });

  test.each([true, false])('two tabs together (Web Locks: %s): both stay signed in', async (locks) => {
    const { server, browser, session } = await signedIn({ locks });
    const other = browser.tab(server, { locks });
    server.expired.add('access1');
    const results = await Promise.all([session, other].map((tab) => tab.authorized(server.call)));
    expect(results).toEqual(['access2', 'access2']);
    expect(server.exchanges).toBe(1);
    expect(other.state.status).toBe('signed_in');
  });

  test('the keys of another tab arrive one by one: they are awaited, and nothing is exchanged twice', async () => {
    const { server, browser, session } = await signedIn();
    server.expired.add('access1');
    const { refresh, access } = STORAGE_KEYS;
    const result = session.authorized(async (token) => {
      // While this request is refused, the other tab's pair arrives, its access token last.
      if (token === 'access1') {
        browser.storage.setItem(refresh, 'refresh2');
        setTimeout(() => browser.storage.setItem(access, 'access2'), 100);
      }
      return server.call(token);
    });
    expect(await result).toBe('access2');
    expect(server.exchanges).toBe(0);
  });

  test('a request is repeated once only', async () => {
    const { server, session } = await signedIn();
    for (let i = 1; i < 9; i++) server.expired.add(`access${i}`);
    await expect(session.authorized(server.call)).rejects.toMatchObject({ status: 401 });
    expect(server.exchanges).toBe(1);
  });

  test('another refusal causes no refresh', async () => {
    const { server, session } = await signedIn();
    const refused = session.authorized(async () => {
      throw new ApiError(404, 'room not found');
    });
    await expect(refused).rejects.toMatchObject({ status: 404 });
    expect(server.exchanges).toBe(0);
  });
});

describe('a refresh whose response was lost is repeated with the same Idempotency-Key', () => {
  test('after a pause', async () => {
    const server = new TokenServer();
    const clock = new ManualClock();
    const session = new Session({ api: server, storage: memoryStorage(), clock });
    await session.signIn('ann', 'right horse');
    server.expired.add('access1');
    server.lostResponses = 2;
    const result = session.authorized(server.call);
    while (server.lostResponses >= 0) {
      await new Promise((resolve) => setTimeout(resolve));
      clock.advance(2000);
    }
    expect(await result).toBe('access2');
    expect(server.exchanges).toBe(1);
  });

  test('and after a reload of the page', async () => {
    const { server, browser } = await signedIn();
    const key = browser.storage.getItem(STORAGE_KEYS.refreshKey) ?? '';
    await server.refresh('refresh1', key);
    server.expired.add('access1');
    expect(await browser.tab(server).authorized(server.call)).toBe('access2');
  });
});

describe('the end of a session', () => {
  test('a refused refresh signs out every tab, with the reason', async () => {
    const { server, browser, session } = await signedIn();
    const other = browser.tab(server);
    server.expired.add('access1');
    server.revokeAll();
    await expect(session.authorized(server.call)).rejects.toMatchObject({ status: 401 });
    expect(session.state).toEqual({ status: 'signed_out', reason: 'expired' });
    expect(other.state).toEqual({ status: 'signed_out', reason: 'expired' });
    expect(browser.storage.getItem(STORAGE_KEYS.refresh)).toBeNull();
  });

  test.each([
    [401, 'status 401'],
    [400, 'status 400'],
    [404, 'status 404'],
    [502, 'status 502'],
  ])('a proxy that refuses the refresh (%i) signs nobody out', async (status, message) => {
    const { server, session } = await signedIn();
    server.expired.add('access1');
    const { refresh } = server;
    server.refresh = async () => {
      throw new ApiError(status, message, { retryAfterMs: 60_000 });
    };
    await expect(session.authorized(server.call)).rejects.toMatchObject({ status });
    expect(session.state.status).toBe('signed_in');
    server.refresh = refresh;
    expect(await session.authorized(server.call)).toBe('access2');
  });

  test('tokens that disappear without an event end the session', async () => {
    const { server, browser, session } = await signedIn();
    browser.storage.removeItem(STORAGE_KEYS.access);
    await expect(session.authorized(server.call)).rejects.toMatchObject({ message: 'signed out' });
    expect(session.state).toEqual({ status: 'signed_out', reason: 'signed_out_elsewhere' });
  });

  test('an unreachable server does not end the session', async () => {
    const { server, session } = await signedIn();
    const call = async () => {
      throw new ApiError(0, 'no response');
    };
    await expect(session.authorized(call)).rejects.toMatchObject({ status: 0 });
    expect(session.state.status).toBe('signed_in');
    expect(server.exchanges).toBe(0);
  });

  test('signing out in one tab signs out all tabs, and revokes the login', async () => {
    const { server, browser, session } = await signedIn();
    const other = browser.tab(server);
    await session.signOut();
    expect(session.state).toEqual({ status: 'signed_out', reason: 'signed_out' });
    expect(other.state).toEqual({ status: 'signed_out', reason: 'signed_out_elsewhere' });
    expect(server.revoked).toEqual(['refresh1']);
    await expect(session.authorized(server.call)).rejects.toMatchObject({ status: 401 });
  });

  test('a refresh that ends after signing out does not restore the session', async () => {
    const { server, session } = await signedIn();
    server.expired.add('access1');
    const exchange = server.refresh;
    // The user signs out before the response arrives.
    server.refresh = async (token, key) => {
      const result = await exchange(token, key);
      await session.signOut();
      return result;
    };
    const late = session.authorized(server.call);
    await expect(late).rejects.toMatchObject({ status: 401 });
    expect(session.state.status).toBe('signed_out');
    expect(server.revoked).toEqual(['refresh1', 'refresh2']);
  });

  test('signing in in one tab signs in the others', async () => {
    const server = new TokenServer();
    const browser = new Browser();
    const [one, other] = [browser.tab(server), browser.tab(server)];
    await one.signIn('ann', 'right horse');
    expect(other.state).toEqual({ status: 'signed_in', user: { id: 1, username: 'ann' } });
  });
});

describe('the stored session', () => {
  test('survives the page, under the documented keys', async () => {
    const { server, browser } = await signedIn();
    expect(browser.storage.getItem('chat_access')).toBe('access1');
    expect(browser.storage.getItem('chat_refresh')).toBe('refresh1');
    expect(browser.storage.getItem('chat_user')).toBe('{"id":1,"username":"ann"}');
    expect(browser.tab(server).state).toEqual({ status: 'signed_in', user: { id: 1, username: 'ann' } });
  });

  test('a full storage does not end the session: the new pair is held in memory', async () => {
    const server = new TokenServer();
    const storage = memoryStorage();
    let isFull = false;
    const write = storage.setItem;
    storage.setItem = (key, value) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      write(key, value);
    };
    const session = new Session({ api: server, storage });
    await session.signIn('ann', 'right horse');
    isFull = true;
    for (const next of ['access2', 'access3']) {
      server.expired.add(await session.authorized(server.call));
      expect(await session.authorized(server.call)).toBe(next);
    }
    expect(storage.getItem(STORAGE_KEYS.access)).toBe('access1');
    await session.signOut();
    expect(storage.getItem(STORAGE_KEYS.access)).toBeNull();
  });

  test('close ends the sync with other tabs', async () => {
    const { browser, server, session } = await signedIn();
    const other = browser.tab(server);
    other.close();
    await session.signOut();
    expect(other.state.status).toBe('signed_in');
  });

  test('a wrong password does not sign in', async () => {
    const session = new Browser().tab(new TokenServer());
    await expect(session.signIn('ann', 'wrong horse')).rejects.toMatchObject({ status: 401 });
    expect(session.state).toEqual({ status: 'signed_out', reason: 'never_signed_in' });
  });
});
