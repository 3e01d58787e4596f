/** Administration of the server: each act by each role, and what it does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminUsersResponse,
  auditResponse,
  createdServerInvite,
  resetLink,
  serverSettings,
  usageResponse,
} from '../../protocol/rest/administration.ts';
import { invitationResponse } from '../../protocol/rest/rooms.ts';
import { runCommand } from '../support/command.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, type RequestOptions, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, logIn, PASSWORD, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
/** `root` was made admin by the operator's link. */
let root: Login;
let admin: Login;
let member: Login;
let guest: Login;

const as = (login: Login, path: string, options: RequestOptions = {}) =>
  send(server, `/api/v1${path}`, { ...options, token: login.accessToken });
const patch = (login: Login, userId: number, json: object) =>
  as(login, `/admin/users/${userId}`, { method: 'PATCH', json });
const register = (body: object) => post(server, '/api/v1/auth/register', body);
const setRegistration = (registration: string) =>
  as(root, '/admin/settings', { method: 'PATCH', json: { registration } });
const auditOf = async (login: Login, path = '/admin/audit') =>
  expectReply(await as(login, path), 200, auditResponse).entries;

beforeAll(async () => {
  server = await ServerProcess.start({ env: { INVITE_TRIES_PER_MINUTE: '0' } });
  [root, admin, member, guest] = await Promise.all([
    signUp(server, uniqueName('root')),
    signUp(server, uniqueName('admin')),
    signUp(server, uniqueName('member')),
    signUp(server, uniqueName('guest')),
  ]);
  const [line] = await server.logged(({ link }) => typeof link === 'string');
  const code = String(line?.link).split('/').at(-1);
  expect((await as(root, '/setup', { method: 'POST', json: { code } })).status).toBe(200);
  expect((await patch(root, admin.userId, { role: 'admin' })).status).toBe(200);
  expect((await patch(root, guest.userId, { role: 'guest' })).status).toBe(200);
}, 60_000);
afterAll(async () => await server?.dispose());

/** Each act of administration. Those on a person are on a new member. */
const ACTS: Record<string, (actor: Login, userId: number) => Promise<{ status: number; json: unknown }>> = {
  'list accounts': (actor) => as(actor, '/admin/users'),
  suspend: (actor, userId) => patch(actor, userId, { suspended: true }),
  'let in again': (actor, userId) => patch(actor, userId, { suspended: false }),
  'change a role': (actor, userId) => patch(actor, userId, { role: 'guest' }),
  'end sessions': (actor, userId) => as(actor, `/admin/users/${userId}/sessions`, { method: 'DELETE' }),
  'reset a password': (actor, userId) => as(actor, `/admin/users/${userId}/reset`, { method: 'POST' }),
  'decide who registers': (actor) =>
    as(actor, '/admin/settings', { method: 'PATCH', json: { registration: 'open' } }),
  'name the server': (actor) => as(actor, '/admin/settings', { method: 'PATCH', json: { name: null } }),
  'remove the picture of the server': (actor) => as(actor, '/admin/icon', { method: 'DELETE' }),
  'list invitations': (actor) => as(actor, '/admin/invites'),
  invite: (actor) => as(actor, '/admin/invites', { method: 'POST', json: {} }),
  'revoke an invitation': (actor) => as(actor, '/admin/invites/999999', { method: 'DELETE' }),
  'read the audit log': (actor) => as(actor, '/admin/audit'),
  'see usage': (actor) => as(actor, '/admin/usage'),
  'read all reports': (actor) => as(actor, '/admin/reports'),
};
/** They name somebody. */
const ON_PEOPLE = ['suspend', 'let in again', 'change a role', 'end sessions', 'reset a password'];

describe('administration by role', () => {
  it.each(Object.keys(ACTS))('%s: admins may; for members and guests there is no such page', async (act) => {
    const target = await signUp(server);
    for (const actor of [member, guest])
      expectRefusal((await ACTS[act]?.(actor, target.userId)) as never, 404, 'not found');
    const reply = await ACTS[act]?.(admin, target.userId);
    expect(reply?.status).toBe(
      act === 'revoke an invitation'
        ? 404
        : ({ invite: 201, 'reset a password': 201, 'end sessions': 204 }[act] ?? 200),
    );
    if (act === 'revoke an invitation') expect(reply?.json).toEqual({ error: 'invite not found' });
  });

  it.each(ON_PEOPLE)('%s: nobody acts on an equal or higher role, nor on oneself', async (act) => {
    for (const target of [root, admin])
      expectRefusal((await ACTS[act]?.(admin, target.userId)) as never, 403, 'not allowed');
    expectRefusal((await ACTS[act]?.(admin, 9_999_999)) as never, 404, 'user not found');
  });

  it('a suspended admin administers nothing any more', async () => {
    const other = await signUp(server);
    await patch(root, other.userId, { role: 'admin' });
    expect((await as(other, '/admin/usage')).status).toBe(200);
    await runCommand(server, ['user', 'disable', other.username]);
    expectRefusal(await as(other, '/admin/usage'), 401, 'invalid token');
  });
});

describe('a suspension', () => {
  it('ends every session, and a login with the right password says why', async () => {
    const bo = await signUp(server);
    const reply = await patch(root, bo.userId, { suspended: true, reason: 'Left the company' });
    expect(reply.json).toMatchObject({ id: bo.userId, sessions: 0, suspended_at: expect.any(String) });
    expectRefusal(await as(bo, '/me'), 401, 'invalid token');
    const refreshed = await post(server, '/api/v1/auth/refresh', { refresh_token: bo.refreshToken });
    expectRefusal(refreshed, 401, 'invalid refresh token');
    const login = (password: string) =>
      post(server, '/api/v1/auth/login', { username: bo.username, password });
    const told = await login(PASSWORD);
    expect([told.status, told.json]).toEqual([
      403,
      { error: 'account suspended', reason: 'Left the company' },
    ]);
    expectRefusal(await login('a wrong password'), 401, 'invalid credentials');
    await patch(root, bo.userId, { suspended: false });
    await logIn(server, bo.username);
  });

  it('leaves a row of the audit log for admins and for the person, and none when nothing changed', async () => {
    const bo = await signUp(server);
    await patch(root, bo.userId, { suspended: true, reason: 'Noise' });
    await patch(root, bo.userId, { suspended: true, reason: 'Noise' });
    await patch(root, bo.userId, { suspended: false });
    const rows = await auditOf(root, `/admin/audit?user_id=${bo.userId}`);
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ['resumed', {}],
      ['suspended', { reason: 'Noise' }],
    ]);
    expect(rows[1]?.actor).toEqual({ user_id: root.userId, username: root.username });
    const back = await logIn(server, bo.username);
    expect(await auditOf(back, '/me/audit')).toEqual(rows);
    expect(await auditOf(member, '/me/audit')).not.toContainEqual(rows[0]);
  });
});

describe('a reset link', () => {
  const find = (code: string) => post(server, '/api/v1/auth/reset/find', { code });
  const use = (code: string, password: string) => post(server, '/api/v1/auth/reset', { code, password });
  const make = async (login: Login) => {
    const reply = await as(root, `/admin/users/${login.userId}/reset`, { method: 'POST' });
    return expectReply(reply, 201, resetLink);
  };

  it('sets a new password once, and ends every session', async () => {
    const bo = await signUp(server);
    const { code, url } = await make(bo);
    expect(url.endsWith(`/reset/${code}`)).toBe(true);
    expect((await find(code)).json).toEqual({ user: { user_id: bo.userId, username: bo.username } });
    expectRefusal(await use(code, 'short'), 400, 'invalid payload');
    const racers = await Promise.all([
      use(code, 'another horse battery'),
      use(code, 'another horse battery'),
    ]);
    expect(racers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expectRefusal(await as(bo, '/me'), 401, 'invalid token');
    expectRefusal(await find(code), 404, 'link not found');
    await logIn(server, bo.username, 'another horse battery');
    const actions = (await auditOf(root, `/admin/audit?user_id=${bo.userId}`)).map(({ action }) => action);
    expect(actions).toEqual(['reset_used', 'reset_made']);
  });

  it('ends with the next one of the same person; an unknown code leads nowhere', async () => {
    const bo = await signUp(server);
    const [first, second] = [await make(bo), await make(bo)];
    expectRefusal(await find(first.code), 404, 'link not found');
    expect((await find(second.code)).status).toBe(200);
    expectRefusal(await find('unknown'), 404, 'link not found');
    expectRefusal(await use('unknown', 'another horse battery'), 404, 'link not found');
  });
});

describe('the name of the server', () => {
  const name = (value: unknown) => as(root, '/admin/settings', { method: 'PATCH', json: { name: value } });
  const shown = async () => (await send(server, '/api/v1/server')).json;

  it('is what an admin says; anybody sees it, and lines have it from their next start', async () => {
    const line = await LineClient.start(server, member);
    expect(line.hello.server_name).toBe('Roomful');
    const named = expectReply(await name(' Acme & Söhne 🦊 '), 200, serverSettings);
    expect(named).toEqual({ registration: 'open', name: 'Acme & Söhne 🦊' });
    expect(await shown()).toEqual(named);
    expect((await LineClient.start(server, member)).hello.server_name).toBe(named.name);
    expect(line.of('hello')).toHaveLength(1);
    const [entry] = await auditOf(root);
    expect(entry).toMatchObject({
      ...{ action: 'server_named', actor: { user_id: root.userId }, room: null, user: null },
      details: { from: null, to: named.name },
    });
    for (const none of [null, '', '  ']) {
      expect((await name('Acme')).status).toBe(200);
      expect(expectReply(await name(none), 200, serverSettings).name).toBe('Roomful');
      expect(await shown()).toEqual({ registration: 'open', name: 'Roomful' });
    }
  });

  it('goes with a change of registration, and each alone leaves the other', async () => {
    const change = (json: object) => as(root, '/admin/settings', { method: 'PATCH', json });
    expect((await change({ name: 'Acme', registration: 'invite' })).json).toEqual(await shown());
    expect((await change({ registration: 'open' })).json).toEqual({ registration: 'open', name: 'Acme' });
    expect((await change({ name: null })).json).toEqual({ registration: 'open', name: 'Roomful' });
  });

  it('has 1 to 64 characters', async () => {
    const long = '\u{10400}'.repeat(64);
    expect(expectReply(await name(long), 200, serverSettings).name).toBe(long);
    expectRefusal(await name(`${long}x`), 400, 'invalid payload');
    expect((await name(null)).status).toBe(200);
  });

  it.each([
    ...[1, true, ['Acme'], {}, 'a\0b', '\ud800', 'a\u200bb', 'a\u202eb', 'a\nb', 'a\u0007b', '\ufeffname'],
  ])('400 invalid payload: %j', async (value) => {
    expectRefusal(await name(value), 400, 'invalid payload');
  });

  it('400 invalid payload for a change of nothing', async () => {
    expectRefusal(await as(root, '/admin/settings', { method: 'PATCH', json: {} }), 400, 'invalid payload');
  });
});

describe('registration', () => {
  const account = (invite?: string) => ({
    ...{ username: uniqueName('new'), password: PASSWORD },
    ...(invite !== undefined && { invite }),
  });
  const serverInvite = async (terms: object = {}) =>
    expectReply(await as(root, '/admin/invites', { method: 'POST', json: terms }), 201, createdServerInvite);

  it('is open, by invitation, or closed; anybody sees which', async () => {
    for (const registration of ['closed', 'invite', 'open']) {
      expect((await setRegistration(registration)).json).toEqual({ registration, name: 'Roomful' });
      expect((await send(server, '/api/v1/server')).json).toEqual({ registration, name: 'Roomful' });
    }
    expectRefusal(await setRegistration('sometimes'), 400, 'invalid payload');
  });

  it('by invitation: with one to the server or to a room; an invitation counts its uses exactly', async () => {
    const { code } = await serverInvite({ max_uses: 2 });
    const room = (await as(root, '/rooms', { method: 'POST', json: { name: uniqueName('room') } })).json as {
      id: number;
    };
    const toRoom = (await as(root, `/rooms/${room.id}/invites`, { method: 'POST', json: {} })).json as {
      code: string;
    };
    await setRegistration('invite');
    try {
      expectRefusal(await register(account()), 403, 'registration closed');
      const racers = await Promise.all(Array.from({ length: 6 }, () => register(account(code))));
      expect(racers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(2);
      expect((await register(account(toRoom.code))).status).toBe(201);
    } finally {
      await setRegistration('open');
    }
    expect((await register(account())).status).toBe(201);
  });

  it('while it is not open, a stranger does not learn which names are taken', async () => {
    const taken = { username: root.username, password: PASSWORD };
    expectRefusal(await register(taken), 409, 'username taken');
    const { code } = await serverInvite();
    try {
      await setRegistration('invite');
      expectRefusal(await register(taken), 403, 'registration closed');
      expectRefusal(await register({ ...taken, invite: 'no such code' }), 404, 'invite not found');
      expectRefusal(await register({ ...taken, invite: code }), 409, 'username taken');
      await setRegistration('closed');
      expectRefusal(await register({ ...taken, invite: code }), 403, 'registration closed');
    } finally {
      await setRegistration('open');
    }
  });

  it('an invitation of the operator names nobody: an account is not the operator, not even the first', async () => {
    const { stdout } = await runCommand(server, ['invite', '--json']);
    const code = new URL(JSON.parse(stdout).url).pathname.split('/').at(-1);
    const reply = await send(server, `/api/v1/invites/${code}`);
    const nobody = { inviter: '', inviter_display_name: '' };
    expect(expectReply(reply, 200, invitationResponse)).toEqual({ room: null, ...nobody });
  });

  it('closed: with an invitation neither; people who are there sign in', async () => {
    const { code, id } = await serverInvite();
    expect((await send(server, `/api/v1/invites/${code}`)).json).toEqual({
      room: null,
      inviter: root.username,
      inviter_display_name: '',
    });
    await setRegistration('closed');
    try {
      expectRefusal(await register(account()), 403, 'registration closed');
      expectRefusal(await register(account(code)), 403, 'registration closed');
      await logIn(server, member.username);
    } finally {
      await setRegistration('open');
    }
    expect((await as(root, `/admin/invites/${id}`, { method: 'DELETE' })).status).toBe(204);
    expectRefusal(await register(account(code)), 404, 'invite not found');
  });
});

describe('what admins see', () => {
  it('accounts, found by a name or by whether they are suspended, page by page', async () => {
    const people = await Promise.all([1, 2, 3].map(() => signUp(server, uniqueName('zelda'))));
    const [first] = people;
    await patch(root, first?.userId ?? 0, { suspended: true });
    const list = async (query: string) =>
      expectReply(await as(root, `/admin/users?q=zelda&${query}`), 200, adminUsersResponse);
    const ids = people.map(({ userId }) => userId).sort((a, b) => a - b);
    const whole = await list('limit=100');
    expect(whole.users.map(({ id }) => id)).toEqual(ids);
    const page = await list('limit=2');
    expect([page.users.length, page.has_more]).toEqual([2, true]);
    expect((await list(`limit=2&after_id=${ids[1]}`)).users.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await list('suspended=true')).users.map(({ id }) => id)).toEqual([first?.userId]);
    expect((await list('suspended=false')).users).toHaveLength(2);
  });

  it('usage', async () => {
    const usage = expectReply(await as(root, '/admin/usage'), 200, usageResponse);
    expect(usage.users).toBeGreaterThan(5);
    expect(usage.active_day).toBeGreaterThan(0);
  });
});
