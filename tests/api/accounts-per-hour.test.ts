/** The limit on new accounts of one address, as clients behind a trusted proxy see it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal, expectRetryAfter } from '../support/expect-reply.ts';
import { post } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { PASSWORD, uniqueName } from '../support/users.ts';

let server: ServerProcess;
beforeAll(async () => {
  const env = { ACCOUNTS_PER_HOUR: '3', TRUST_PROXY: '127.0.0.1', RATE_LIMIT_EXEMPT: '192.0.2.7' };
  server = await ServerProcess.start({ env });
});
afterAll(async () => await server?.dispose());

const register = (address?: string, username = uniqueName('new')) =>
  post(
    server,
    '/api/v1/auth/register',
    { username, password: PASSWORD },
    { headers: address === undefined ? {} : { 'x-forwarded-for': address } },
  );

async function statuses(count: number, addressOf: (index: number) => string | undefined): Promise<number[]> {
  const replies = await Promise.all(Array.from({ length: count }, (_, index) => register(addressOf(index))));
  return replies.map(({ status }) => status).sort();
}

test('of 6 at once from one address 3 get an account, and the others 429 with the time to wait', async () => {
  expect(await statuses(6, () => '203.0.113.1')).toEqual([201, 201, 201, 429, 429, 429]);
  const refused = await register('203.0.113.1');
  expectRefusal(refused, 429, 'too many requests');
  expectRetryAfter(refused);
  expect((await register('203.0.113.2')).status).toBe(201);
});

test('a network of IPv6 (/64) counts as one address', async () => {
  expect(await statuses(5, (index) => `2001:db8:1:2::${index + 1}`)).toEqual([201, 201, 201, 429, 429]);
  expect((await register('2001:db8:1:3::1')).status).toBe(201);
});

test('a name that is taken uses up nothing', async () => {
  const name = uniqueName('taken');
  expect((await register('203.0.113.4', name)).status).toBe(201);
  for (let count = 0; count < 4; count++) expect((await register('203.0.113.4', name)).status).toBe(409);
  expect((await register('203.0.113.4')).status).toBe(201);
});

test('an exempt address and the machine itself have no limit', async () => {
  expect(await statuses(5, () => '192.0.2.7')).toEqual([201, 201, 201, 201, 201]);
  expect(await statuses(5, () => undefined)).toEqual([201, 201, 201, 201, 201]);
});

test('a proxy on the machine that nobody trusts has the limit', async () => {
  await using behind = await ServerProcess.start({ env: { ACCOUNTS_PER_HOUR: '1' } });
  const body = () => ({ username: uniqueName('new'), password: PASSWORD });
  const registerBy = async (headers: Record<string, string>) =>
    (await post(behind, '/api/v1/auth/register', body(), { headers })).status;
  expect(await registerBy({ 'x-forwarded-for': '203.0.113.1' })).toBe(201);
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.1' },
    { forwarded: 'for=203.0.113.1' },
    { 'x-real-ip': '203.0.113.1' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '203.0.113.1' },
    { host: 'chat.example' },
  ])
    expect([headers, await registerBy(headers)]).toEqual([headers, 429]);
  expect(await registerBy({})).toBe(201);
});
