import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hueOf } from '../../protocol/hues.ts';
import { createdInvite, invitationResponse, invitesResponse } from '../../protocol/rest/rooms.ts';
import { type Room, roomSchema } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply, expectRetryAfter } from '../support/expect-reply.ts';
import { post, type RequestOptions, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, logIn, PASSWORD, signUp, signUpCrowd, uniqueName } from '../support/users.ts';

const DAY_MS = 86_400_000;

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  // Without limits: one user makes more changes here than a minute allows.
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = [await signUp(server), await signUp(server)];
});
afterAll(async () => await server?.dispose());

const ask = (path: string, options: RequestOptions = {}, login = ann) =>
  send(server, `/api/v1${path}`, { token: login.accessToken, ...options });
async function privateRoom(): Promise<Room> {
  const body = { name: uniqueName('private'), kind: 'private', emoji: '\u{1F98A}' };
  return expectReply(await ask('/rooms', { method: 'POST', json: body }), 201, roomSchema);
}
async function invite(room: Room, terms: object = {}, headers = {}) {
  const reply = await ask(`/rooms/${room.id}/invites`, { method: 'POST', json: terms, headers });
  return expectReply(reply, 201, createdInvite);
}
const accept = (code: string, login = bo) => ask(`/invites/${code}/accept`, { method: 'POST' }, login);
const isMember = async (room: Room, login: Login) =>
  (await ask(`/rooms/${room.id}/members`, {}, login)).status === 200;

describe('POST and GET /api/v1/rooms/:id/invites', () => {
  test('the code has 22 characters, is returned only on creation, and is part of a link to this server', async () => {
    const room = await privateRoom();
    const made = await invite(room, {}, { host: 'chat.example.org' });
    expect(made.code).toMatch(/^[\w-]{22}$/);
    expect(made.url).toBe(`http://chat.example.org/invite/${made.code}`);
    expect(made.created_by).toEqual({ user_id: ann.userId, username: ann.username });
    const { code: _, url: __, ...listed } = made;
    const list = await ask(`/rooms/${room.id}/invites`);
    expect(expectReply(list, 200, invitesResponse).invites).toEqual([listed]);
    expect(list.text).not.toContain(made.code);
  });

  test('it lives for a week and has no limit of uses, unless it says otherwise; no body is needed', async () => {
    const room = await privateRoom();
    const bare = expectReply(
      await ask(`/rooms/${room.id}/invites`, { method: 'POST' }),
      ...([201, createdInvite] as const),
    );
    expect(bare.max_uses).toBeNull();
    const ahead = Date.parse(bare.expires_at) - Date.now();
    expect(ahead).toBeGreaterThan(6 * DAY_MS);
    expect(ahead).toBeLessThanOrEqual(7 * DAY_MS);
    const brief = await invite(room, { expires_in: 60, max_uses: 3 });
    expect(brief).toMatchObject({ max_uses: 3, uses: 0 });
    expect(Date.parse(brief.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  test.each([
    ...[{ expires_in: 59 }, { expires_in: 2_592_001 }, { expires_in: '60' }, { expires_in: 60.5 }],
    ...[{ max_uses: 0 }, { max_uses: 1001 }, { max_uses: null }, []],
  ])('400 invalid payload: %j', async (terms) => {
    const room = await privateRoom();
    const reply = await ask(`/rooms/${room.id}/invites`, { method: 'POST', json: terms });
    expectRefusal(reply, 400, 'invalid payload');
  });

  test('409 limit reached: a room has 50 live invitations at most', async () => {
    const room = await privateRoom();
    for (let count = 0; count < 50; count++) await invite(room);
    const reply = () => ask(`/rooms/${room.id}/invites`, { method: 'POST', json: {} });
    expectRefusal(await reply(), 409, 'limit reached');
    const { invites } = expectReply(await ask(`/rooms/${room.id}/invites`), 200, invitesResponse);
    expect(invites.map(({ id }) => id)).toEqual(invites.map(({ id }) => id).sort((a, b) => b - a));
    const revoked = await ask(`/rooms/${room.id}/invites/${invites[0]?.id}`, { method: 'DELETE' });
    expect(revoked.status).toBe(204);
    expect((await reply()).status).toBe(201);
  });

  test('404 invite not found: one that is revoked, or of another room', async () => {
    const [room, other] = [await privateRoom(), await privateRoom()];
    const made = await invite(room);
    const revoke = (where: Room) => ask(`/rooms/${where.id}/invites/${made.id}`, { method: 'DELETE' });
    expectRefusal(await revoke(other), 404, 'invite not found');
    expect((await revoke(room)).status).toBe(204);
    expectRefusal(await revoke(room), 404, 'invite not found');
    expectRefusal(await ask(`/rooms/${room.id}/invites/x`, { method: 'DELETE' }), 400, 'bad request');
  });
});

describe('GET /api/v1/invites/:code', () => {
  test('returns the room and the inviter to anybody who has the code, without a login', async () => {
    const room = await privateRoom();
    const { code } = await invite(room);
    const reply = await send(server, `/api/v1/invites/${code}`);
    expect(expectReply(reply, 200, invitationResponse)).toEqual({
      room: {
        ...{ name: room.name, members: 1, emoji: '\u{1F98A}', hue: hueOf(room), topic: '' },
        people: [{ username: ann.username, display_name: '' }],
      },
      ...{ inviter: ann.username, inviter_display_name: '' },
    });
  });

  test('shows the hue and the topic as they are now, and the first five members, and no id', async () => {
    const room = await privateRoom();
    const people = await Promise.all(Array.from({ length: 6 }, () => signUp(server)));
    for (const { userId } of people) await ask(`/rooms/${room.id}/members/${userId}`, { method: 'PUT' });
    await ask('/me', { method: 'PATCH', json: { display_name: 'Ann of the kitchen' } });
    const { code } = await invite(room);
    const json = { hue: 'plum', topic: 'What we eat' };
    expect((await ask(`/rooms/${room.id}`, { method: 'PATCH', json })).status).toBe(200);
    const reply = await send(server, `/api/v1/invites/${code}`);
    const found = expectReply(reply, 200, invitationResponse);
    const by = { inviter: ann.username, inviter_display_name: 'Ann of the kitchen' };
    expect(found).toMatchObject({ room: { ...json, members: 7 }, ...by });
    const byId = [ann, ...people].sort((one, other) => one.userId - other.userId);
    const names = byId.slice(0, 5).map(({ username }) => username);
    expect(found.room?.people?.map(({ username }) => username)).toEqual(names);
    expect(reply.text).not.toMatch(/"(?:\w+_)?id":/);
    await ask('/me', { method: 'PATCH', json: { display_name: '' } });
  });

  test('404 invite not found, and nothing of the room, once its maker may not invite there any more', async () => {
    const room = await privateRoom();
    await ask(`/rooms/${room.id}/members/${bo.userId}`, { method: 'PUT' });
    const made = await ask(`/rooms/${room.id}/invites`, { method: 'POST' }, bo);
    const { code } = expectReply(made, 201, createdInvite);
    const look = () => send(server, `/api/v1/invites/${code}`);
    expect((await look()).status).toBe(200);
    await ask(`/rooms/${room.id}/members/${bo.userId}`, { method: 'DELETE' });
    expectRefusal(await look(), 404, 'invite not found');
    expect((await look()).text).toBe((await send(server, '/api/v1/invites/none')).text);
  });
});

describe('POST /api/v1/invites/:code/accept', () => {
  test('joins the room; a repeat joins nothing and uses nothing', async () => {
    const room = await privateRoom();
    const { code } = await invite(room, { max_uses: 2 });
    const uses = async () =>
      expectReply(await ask(`/rooms/${room.id}/invites`), 200, invitesResponse).invites[0]?.uses;
    expect(await isMember(room, bo)).toBe(false);
    for (let time = 0; time < 3; time++) {
      const joined = expectReply(await accept(code), 200, roomSchema);
      expect(joined).toMatchObject({ id: room.id, name: room.name, members: 2, me_role: 'member' });
    }
    expect(await uses()).toBe(1);
    expectReply(await accept(code, ann), 200, roomSchema);
    expect(await uses()).toBe(1);
  });

  test('of 50 at once for the last use one gets in', async () => {
    const room = await privateRoom();
    const { code } = await invite(room, { max_uses: 1 });
    const crowd = await signUpCrowd(server, 50);
    const replies = await Promise.all(crowd.map((login) => accept(code, login)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 404, 'invite not found');
    const members = await Promise.all(crowd.map((login) => isMember(room, login)));
    expect(members.filter(Boolean)).toHaveLength(1);
  }, 60_000);

  test('its maker has left the room: 404 invite not found', async () => {
    const room = await privateRoom();
    const { code } = await invite(room);
    await accept(code);
    const byBo = expectReply(
      await ask(`/rooms/${room.id}/invites`, { method: 'POST' }, bo),
      ...([201, createdInvite] as const),
    );
    await ask(`/rooms/${room.id}/members/me`, { method: 'DELETE' }, bo);
    expectRefusal(await accept(byBo.code, await signUp(server)), 404, 'invite not found');
    expectReply(await accept(code), 200, roomSchema);
    expectReply(await accept(byBo.code, await signUp(server)), 200, roomSchema);
  });

  test('the 21st attempt of an address within a minute is 429, even with a valid code', async () => {
    await using limited = await ServerProcess.start({ env: { INVITE_TRIES_PER_MINUTE: '20' } });
    const login = await signUp(limited);
    const attempt = (localAddress: string, path = 'A'.repeat(22)) =>
      post(limited, `/api/v1/invites/${path}/accept`, {}, { token: login.accessToken, localAddress });
    for (let time = 0; time < 20; time++)
      expectRefusal(await attempt('127.0.0.1', `code-${time}`), 404, 'invite not found');
    const refused = await attempt('127.0.0.1');
    expectRefusal(refused, 429, 'too many requests');
    expectRetryAfter(refused);
    expectRefusal(await send(limited, '/api/v1/invites/x'), 429, 'too many requests');
    expectRefusal(await attempt('127.0.0.2'), 404, 'invite not found');
  });
});

describe('POST /api/v1/auth/register with an invitation', () => {
  const register = (username: string, invite: unknown) =>
    post(server, '/api/v1/auth/register', { username, password: PASSWORD, invite });

  test('the new user is in its room', async () => {
    const room = await privateRoom();
    const { code } = await invite(room);
    const username = uniqueName('new');
    expect((await register(username, code)).status).toBe(201);
    expect(await isMember(room, await logIn(server, username))).toBe(true);
  });

  test('one that leads nowhere: 404 invite not found, and no user', async () => {
    const username = uniqueName('new');
    expectRefusal(await register(username, 'A'.repeat(22)), 404, 'invite not found');
    expectRefusal(await register(username, 7), 400, 'invalid payload');
    expectRefusal(await register(username, 'A'.repeat(129)), 400, 'invalid payload');
    expect((await register(username, undefined)).status).toBe(201);
  });
});
