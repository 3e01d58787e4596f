/** A browser context for one person, with or without an account. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Login } from '../support/users.ts';
import { Person } from './person.ts';

export interface Seat {
  /** Signed in as this person from the start. */
  login?: Login;
  /** Further entries of local storage. */
  stored?: Record<string, string>;
  path?: string;
  /** The origin that serves the page. */
  origin?: string;
  context?: BrowserContextOptions;
  /** The page's clock stands at this time. Its timers still run. */
  now?: string;
  /** The page is the first of its process, as when a browser opens. This takes a second page to prepare. */
  cold?: boolean;
  /** By default the page has a service worker. Without one it is as a page that came over plain HTTP. */
  worker?: boolean;
}

export interface TakenSeat {
  person: Person;
  close(): Promise<void>;
}

/** Opens the client at `origin` in a context of its own. */
export async function takeSeat(browser: Browser, seat: Seat & { origin: string }): Promise<TakenSeat> {
  const { login, stored, origin, path = '/', context, now, cold = false, worker = true } = seat;
  const entries = login && signedIn(login, stored);
  const opened = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    ...(cold &&
      entries && { storageState: { cookies: [], origins: [{ origin, localStorage: listed(entries) }] } }),
    ...context,
  });
  if (login?.fileCookie !== undefined) await opened.addCookies([fileCookie(origin, login.fileCookie)]);
  if (now !== undefined) await opened.clock.setFixedTime(now);
  if (!worker) {
    await opened.addInitScript(() => Object.defineProperty(navigator, 'serviceWorker', { value: undefined }));
  }
  const person = await Person.sitDown(opened, path, cold ? undefined : entries);
  return { person, close: () => opened.close() };
}

/** What the client would have stored after signing in. */
function signedIn(login: Login, stored: Record<string, string> = {}): Record<string, string> {
  return {
    chat_access: login.accessToken,
    chat_refresh: login.refreshToken,
    chat_refresh_key: randomUUID(),
    chat_user: JSON.stringify({ id: login.userId, username: login.username }),
    ...stored,
  };
}

function listed(entries: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(entries).map(([name, value]) => ({ name, value }));
}

/** Signing in on a page sets it. */
function fileCookie(origin: string, value: string) {
  const { hostname: domain } = new URL(origin);
  return {
    name: 'roomful_files',
    value,
    domain,
    path: '/files',
    httpOnly: true,
    sameSite: 'Strict' as const,
  };
}
