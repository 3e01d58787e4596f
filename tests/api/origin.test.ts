/** Pages of other origins: what they may not do to a visitor, and what is logged when a proxy hides the origin. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { tryUpgrade } from '../support/upgrade.ts';
import { type Login, signUp } from '../support/users.ts';

const ALLOWED = 'https://other.example.org';
const EVIL = 'https://evil.example';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { ALLOWED_ORIGINS: ALLOWED, TRUST_PROXY: '127.0.0.9' } });
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const AUTH_PATHS = ['register', 'login', 'refresh', 'logout'].map((name) => `/api/v1/auth/${name}`);

/** The headers that a browser sends for a page, and whether that page may sign its visitor in. */
const FOREIGN: [string, Record<string, string>][] = [
  ['another origin', { origin: EVIL }],
  ['another origin, as a browser says, too', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
  ['another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['another site, without Origin', { 'sec-fetch-site': 'cross-site' }],
];
const own = () => ({ origin: server.url });
const WELCOME: [string, () => Record<string, string>][] = [
  ['no page at all', () => ({})],
  ['the own origin', own],
  ['the own origin, as a browser says, too', () => ({ ...own(), 'sec-fetch-site': 'same-origin' })],
  [
    'same-origin behind a proxy that hides the scheme',
    () => ({ origin: `https://${server.host}`, 'sec-fetch-site': 'same-origin' }),
  ],
  ['an address that a person typed', () => ({ 'sec-fetch-site': 'none' })],
  ['an allowed origin', () => ({ origin: ALLOWED, 'sec-fetch-site': 'cross-site' })],
];

describe('POST /api/v1/auth/*: 403 origin not allowed for pages of other origins', () => {
  test.each(FOREIGN)('refused on every path: %s', async (_, headers) => {
    for (const path of AUTH_PATHS) {
      const reply = await post(server, path, { username: 'x', password: 'y' }, { headers });
      expectRefusal(reply, 403, 'origin not allowed');
    }
  });

  test.each(WELCOME)('served: %s', async (_, headers) => {
    const credentials = { username: ann.username, password: ann.password };
    expect((await post(server, '/api/v1/auth/login', credentials, { headers: headers() })).status).toBe(200);
  });

  test('a refused login is no failed login: the visitor can still sign in', async () => {
    const bo = await signUp(server);
    for (let tries = 0; tries < 15; tries++) {
      const body = JSON.stringify({ username: bo.username, password: 'wrong password' });
      // As a page's `fetch(…, {mode: 'no-cors'})` sends it.
      const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' };
      expect((await send(server, '/api/v1/auth/login', { method: 'POST', body, headers })).status).toBe(403);
    }
    const credentials = { username: bo.username, password: bo.password };
    expect((await post(server, '/api/v1/auth/login', credentials)).status).toBe(200);
  });
});

describe('GET /ws?origin=: whether a page of that origin may open a socket', () => {
  const ask = (origin: string, headers = {}) =>
    send(server, `/ws?origin=${encodeURIComponent(origin)}`, { headers });

  test('426 for the own origin and for allowed ones', async () => {
    for (const origin of [server.url, ALLOWED]) expectRefusal(await ask(origin), 426, 'upgrade required');
  });

  test.each([EVIL, 'null', '', 'https://127.0.0.1'])('403 for %j', async (origin) => {
    expectRefusal(await ask(origin), 403, 'origin not allowed');
  });

  test('the same result as the upgrade', async () => {
    const host = 'chat.example.org';
    for (const origin of [
      'http://chat.example.org',
      'https://chat.example.org',
      'http://chat.example.org:81',
    ]) {
      const upgraded = await tryUpgrade(server, '/ws', { headers: { host, origin } });
      const asked = await ask(origin, { host });
      expect(asked.status === 403).toBe(upgraded.status === 403);
    }
  });
});

describe('only a bare host and port in Host make an origin the own one', () => {
  test.each(['x@evil.example', 'evil.example/x', 'evil.example?', 'evil.example#', 'evil example', 'a\\b'])(
    'Host: %s is 400',
    async (host) => {
      const headers = { host, origin: 'http://evil.example' };
      expectRefusal(await tryUpgrade(server, '/ws', { headers }), 400, 'bad request');
      expectRefusal(await send(server, '/healthz', { headers: { host } }), 400, 'bad request');
    },
  );

  test.each(['x@evil.example', 'evil.example/x', '@evil.example', 'evil.example:80:80'])(
    'X-Forwarded-Host: %s is no valid host, even from a trusted proxy',
    async (host) => {
      const headers = { origin: 'http://evil.example', 'x-forwarded-host': host };
      const reply = await tryUpgrade(server, '/ws', { headers, localAddress: '127.0.0.9' });
      expectRefusal(reply, 403, 'origin not allowed');
    },
  );
});

describe('PUBLIC_URL sets the own origins; Host is ignored', () => {
  const PUBLIC = ['https://chat.example.org', 'http://localhost:8080'];
  let strict: ServerProcess;
  beforeAll(async () => {
    strict = await ServerProcess.start({ env: { PUBLIC_URL: PUBLIC.join(', ') } });
  });
  afterAll(async () => await strict?.dispose());

  test('each of them is served, without any header of a proxy', async () => {
    for (const origin of PUBLIC) {
      expectRefusal(await tryUpgrade(strict, '/ws', { headers: { origin } }), 401, 'missing ws ticket');
    }
  });

  test('a name that was pointed at this server is not (DNS rebinding)', async () => {
    const headers = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' };
    expectRefusal(await tryUpgrade(strict, '/ws', { headers }), 403, 'origin not allowed');
    const login = await post(strict, '/api/v1/auth/login', { username: 'ann', password: 'x' }, { headers });
    expectRefusal(login, 403, 'origin not allowed');
    const warnings = strict.logs.filter((line) => String(line.remedy).includes('PUBLIC_URL'));
    expect(warnings).toHaveLength(1);
  });
});
