import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { profileSchema } from '../../protocol/people.ts';
import { blocksResponse, meResponse, sessionsResponse, usersResponse } from '../../protocol/rest/people.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, type RequestOptions, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, logIn, PASSWORD, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = [await signUp(server), await signUp(server)];
});
afterAll(async () => await server?.dispose());

const ask = (path: string, options: RequestOptions = {}, login = ann) =>
  send(server, `/api/v1${path}`, { token: login.accessToken, ...options });
const change = (json: unknown) => ask('/me', { method: 'PATCH', json });

describe('GET and PATCH /api/v1/me', () => {
  test('a new user goes by the username and has set nothing', async () => {
    const { userId: id, username } = bo;
    expect(expectReply(await ask('/me', {}, bo), 200, meResponse)).toEqual({
      ...{ id, username, version: 1, kind: 'person', role: 'member', display_name: '' },
      ...{ status: null, time_zone: null, suspended: false, settings: {} },
    });
  });

  test('what is named changes and the rest stays; others see it, but not the settings', async () => {
    const status = { emoji: '\u{1F334}', text: 'on holiday', until: '2999-01-01T00:00:00.000Z' };
    expectReply(await change({ display_name: '  Ann  Lee ', time_zone: 'Europe/Vienna' }), 200, meResponse);
    expectReply(await change({ status, settings: { theme: 'dark' } }), 200, meResponse);
    const me = expectReply(await change({ settings: { language: 'de' } }), 200, meResponse);
    expect(me).toMatchObject({ display_name: 'Ann  Lee', time_zone: 'Europe/Vienna', status, version: 3 });
    expect(me.settings).toEqual({ theme: 'dark', language: 'de' });
    const seen = expectReply(await ask(`/users?ids=${ann.userId}`, {}, bo), 200, usersResponse);
    const { settings: _, ...profile } = me;
    expect(seen.users.map((user) => profileSchema.strict().parse(user))).toEqual([profile]);
  });

  test('a status that is over is gone', async () => {
    const until = '2020-01-01T00:00:00.000Z';
    expect(expectReply(await change({ status: { text: 'old', until } }), 200, meResponse).status).toBeNull();
    expect(expectReply(await change({ status: null }), 200, meResponse).status).toBeNull();
  });

  test.each([
    { display_name: 'a'.repeat(65) },
    { display_name: 'a\u202eb' },
    { display_name: 7 },
    { status: 'away' },
    { status: { text: 'a'.repeat(101) } },
    { status: { text: 'a\nb' } },
    { status: { text: 'a', emoji: 'ab' } },
    { status: { text: 'a', until: 'tomorrow' } },
    { time_zone: 'Europe/Atlantis' },
    { time_zone: '' },
    { settings: { theme: 'pink' } },
    [],
    null,
  ])('400 invalid payload: %j', async (body) => {
    expectRefusal(await change(body), 400, 'invalid payload');
  });

  test('of two settings that are changed at once, both are kept', async () => {
    const cy = await signUp(server);
    const set = (settings: object) => ask('/me', { method: 'PATCH', json: { settings } }, cy);
    await Promise.all([set({ theme: 'dark' }), set({ language: 'de' })]);
    const me = expectReply(await ask('/me', {}, cy), 200, meResponse);
    expect(me.settings).toEqual({ theme: 'dark', language: 'de' });
  });

  test('429 after too many changes, for this user alone', async () => {
    const cy = await signUp(server);
    const changes = Array.from({ length: 100 }, () => ask('/me', { method: 'PATCH', json: {} }, cy));
    expect((await Promise.all(changes)).map(({ status }) => status)).toContain(429);
    expectReply(await change({}), 200, meResponse);
  });

  test('401 without a token', async () => {
    for (const method of ['GET', 'PATCH'])
      expectRefusal(await send(server, '/api/v1/me', { method }), 401, 'missing bearer token');
  });
});

describe('GET /api/v1/users', () => {
  test('by ids: each once, by id, without unknown ones', async () => {
    const reply = await ask(`/users?ids=${bo.userId},${ann.userId},${bo.userId},999999`);
    const { users } = expectReply(reply, 200, usersResponse);
    expect(users.map(({ id }) => id)).toEqual([ann.userId, bo.userId]);
  });

  test('by how a word of the username or of the display name begins, in any case', async () => {
    const [tag, shown] = [uniqueName('Tag'), uniqueName('Shown')];
    const cy = await signUp(server, `a ${tag}`);
    const find = async (q: string) => {
      const reply = await ask(`/users?q=${encodeURIComponent(q)}`);
      return expectReply(reply, 200, usersResponse).users.map(({ id }) => id);
    };
    expect(await find(tag.toUpperCase())).toEqual([cy.userId]);
    expect(await find(shown)).toEqual([]);
    await ask('/me', { method: 'PATCH', json: { display_name: shown } }, cy);
    expect(await find(shown.toLowerCase())).toEqual([cy.userId]);
    expect(await find(shown.slice(1))).toEqual([]);
    expect(await find('%')).toEqual([]);
    expect(await find('')).toContain(cy.userId);
  });

  test.each(['ids=', 'ids=0', 'ids=1,,2', 'ids=x', 'ids=1&q=a', `ids=${new Array(101).fill(1)}`, 'q=a&q=b'])(
    '400 invalid payload: %s',
    async (query) => {
      expectRefusal(await ask(`/users?${query}`), 400, 'invalid payload');
    },
  );
});

describe('PUT and DELETE /api/v1/me/blocks/:user_id', () => {
  const block = (method: 'PUT' | 'DELETE', id: number | string) => ask(`/me/blocks/${id}`, { method });
  const blocked = async () =>
    expectReply(await ask('/me/blocks'), 200, blocksResponse).users.map(({ id }) => id);

  test('204, also when nothing changes; the list has the blocked people', async () => {
    expect((await block('DELETE', bo.userId)).status).toBe(204);
    for (let time = 0; time < 2; time++) expect((await block('PUT', bo.userId)).status).toBe(204);
    expect(await blocked()).toEqual([bo.userId]);
    expect((await block('DELETE', bo.userId)).status).toBe(204);
    expect(await blocked()).toEqual([]);
  });

  test('404 user not found; 400 for the own id and for text that is not an id', async () => {
    for (const method of ['PUT', 'DELETE'] as const) {
      expectRefusal(await block(method, 999_999), 404, 'user not found');
      expectRefusal(await block(method, ann.userId), 400, 'invalid payload');
      expectRefusal(await block(method, 'bo'), 400, 'bad request');
    }
  });
});

describe('PUT /api/v1/me/password', () => {
  const put = (login: Login, json: unknown) => ask('/me/password', { method: 'PUT', json }, login);
  const next = 'an entirely new password';

  test('the new password logs in, the old one does not, and all other sessions end', async () => {
    const cy = await signUp(server);
    const other = await logIn(server, cy.username);
    expect((await put(cy, { current: PASSWORD, next })).status).toBe(204);
    expectReply(await ask('/me', {}, cy), 200, meResponse);
    expectRefusal(await ask('/me', {}, other), 401, 'invalid token');
    const old = await post(server, '/api/v1/auth/login', { username: cy.username, password: PASSWORD });
    expectRefusal(old, 401, 'invalid credentials');
    await logIn(server, cy.username, next);
  });

  test('403 for a wrong password, and 429 after ten: nothing changes', async () => {
    const cy = await signUp(server);
    expectRefusal(await put(cy, { current: 'not this one', next }), 403, 'wrong password');
    for (let tries = 0; tries < 9; tries++) await put(cy, { current: 'not this one', next });
    expectRefusal(await put(cy, { current: PASSWORD, next }), 429, 'too many requests');
  });

  test.each([
    {},
    { current: PASSWORD },
    { next },
    { current: PASSWORD, next: 'short' },
    { current: 7, next },
  ])('400 invalid payload: %j', async (body) => {
    expectRefusal(await put(bo, body), 400, 'invalid payload');
  });
});

describe('GET /api/v1/me/sessions and DELETE /api/v1/me/sessions/:id', () => {
  test('lists the live sessions, the latest used first, and ends one: its tokens are refused at once', async () => {
    const cy = await signUp(server);
    const other = await logIn(server, cy.username, cy.password, { headers: { 'user-agent': 'a phone' } });
    const list = async () => expectReply(await ask('/me/sessions', {}, cy), 200, sessionsResponse).sessions;
    const [phone, own] = await list();
    expect(phone).toMatchObject({ user_agent: 'a phone', current: false });
    expect(own).toMatchObject({ current: true });
    const end = (id: number | undefined, login = cy) =>
      ask(`/me/sessions/${id}`, { method: 'DELETE' }, login);
    expectRefusal(await end(phone?.id, ann), 404, 'session not found');
    expect((await end(phone?.id)).status).toBe(204);
    expectRefusal(await ask('/me', {}, other), 401, 'invalid token');
    const refresh = { refresh_token: other.refreshToken };
    expectRefusal(await post(server, '/api/v1/auth/refresh', refresh), 401, 'invalid refresh token');
    expectRefusal(await end(phone?.id), 404, 'session not found');
    expect(await list()).toEqual([own]);
  });
});
