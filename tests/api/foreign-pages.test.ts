/** A page of another origin cannot use up what limits allow its visitor: requests, tries, and places. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { tryUpgrade } from '../support/upgrade.ts';
import { type Login, signUp } from '../support/users.ts';

const WRONG = '/api/v1/invites/AAAAAAAAAAAAAAAAAAAAAA';
/** More than the burst of a path. */
const MANY = 60;

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  // The visitor and the page are at one address. No token comes back while the test runs.
  server = await ServerProcess.start({
    env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '40', INVITE_TRIES_PER_MINUTE: '20' },
  });
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

/** As browsers mark what a foreign page makes them send. */
const FOREIGN: [string, Record<string, string>][] = [
  ['a request without CORS', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of a sibling domain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ['a link to the interface', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a request with CORS', { origin: 'https://evil.example' }],
  ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
];

describe('a wrong invitation', () => {
  test.each(FOREIGN)('that a foreign page asks for is refused, and is no try: %s', async (_, headers) => {
    for (let tries = 0; tries < 7; tries++)
      expectRefusal(await send(server, WRONG, { headers }), 403, 'origin not allowed');
    const accept = { method: 'POST', headers, token: ann.accessToken };
    expectRefusal(await send(server, `${WRONG}/accept`, accept), 403, 'origin not allowed');
    // 20 tries a minute would be used up by now.
    expectRefusal(await send(server, WRONG), 404, 'invite not found');
  });
});

describe('requests of a foreign page, more than the limit', () => {
  const [[, headers] = ['', {}]] = FOREIGN;
  const own: [string, () => Promise<{ status: number }>, (path: string) => Promise<{ status: number }>][] = [
    [
      '/api/v1/auth/login',
      () => post(server, '/api/v1/auth/login', { username: ann.username, password: ann.password }),
      (path) => post(server, path, {}, { headers }),
    ],
    [
      '/api/v1/auth/refresh',
      () => post(server, '/api/v1/auth/refresh', { refresh_token: ann.refreshToken }),
      (path) => post(server, path, {}, { headers }),
    ],
    [
      '/api/v1/ws/tickets',
      () => post(server, '/api/v1/ws/tickets', { scope: 'user' }, { token: ann.accessToken }),
      (path) => post(server, path, { scope: 'user' }, { headers }),
    ],
    [
      '/api/v1/me',
      () => send(server, '/api/v1/me', { token: ann.accessToken }),
      (path) => send(server, path, { headers }),
    ],
  ];

  test.each(own)('leave the visitor all of theirs: %s', async (path, visit, flood) => {
    const replies = await Promise.all(Array.from({ length: MANY }, () => flood(path)));
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await visit()).status).toBe(200);
  });

  test('so do upgrades', async () => {
    const open = { headers: { origin: 'https://evil.example' } };
    const replies = await Promise.all(Array.from({ length: MANY }, () => tryUpgrade(server, '/ws', open)));
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expectRefusal(await tryUpgrade(server, '/ws'), 401, 'missing ws ticket');
  });

  test('so do those that cannot be parsed, and those of paths that do not exist', async () => {
    for (const path of ['/%zz', '/api/v1/nothing']) {
      const replies = await Promise.all(Array.from({ length: MANY }, () => send(server, path, { headers })));
      expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    }
    expectRefusal(await send(server, '/api/v1/nothing'), 404, 'not found');
  });
});
