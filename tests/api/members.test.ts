import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flowResponse } from '../../protocol/rest/messages.ts';
import { membersResponse, myRoomsResponse } from '../../protocol/rest/rooms.ts';
import { memberSchema, membershipSchema, type Room, roomSchema } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type RequestOptions, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
let cy: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo, cy] = [await signUp(server), await signUp(server), await signUp(server)];
});
afterAll(async () => await server?.dispose());

const ask = (path: string, options: RequestOptions = {}, login = ann) =>
  send(server, `/api/v1${path}`, { token: login.accessToken, ...options });
const put = (path: string, json?: object, login = ann) =>
  ask(path, json ? { method: 'PUT', json } : { method: 'PUT' }, login);
const remove = (path: string, login = ann) => ask(path, { method: 'DELETE' }, login);
async function privateRoom(): Promise<Room> {
  const json = { name: uniqueName('private'), kind: 'private' };
  return expectReply(await ask('/rooms', { method: 'POST', json }), 201, roomSchema);
}
async function membersOf(room: Room, query = '', login = ann) {
  return expectReply(await ask(`/rooms/${room.id}/members${query}`, {}, login), 200, membersResponse);
}
/** The notices of a room: what happened, to whom, by whom. */
async function noticesOf(room: Room, login = ann) {
  const reply = await ask(`/rooms/${room.id}/messages?view=flow`, {}, login);
  return expectReply(reply, 200, flowResponse).messages.flatMap(({ notice }) =>
    notice ? [`${notice.kind} by ${notice.by.username}`] : [],
  );
}

describe('PUT and DELETE /api/v1/rooms/:id/members/me', () => {
  test('joins a public room, which then has one member more; a repeat changes nothing', async () => {
    const room = await createRoom(server, ann);
    for (let time = 0; time < 2; time++) {
      const joined = expectReply(await put(`/rooms/${room.id}/members/me`, undefined, bo), 200, roomSchema);
      expect(joined).toMatchObject({ id: room.id, members: 2, me_role: 'member' });
    }
    expect((await remove(`/rooms/${room.id}/members/me`, bo)).status).toBe(204);
    const left = expectReply(await ask(`/rooms/${room.id}`, {}, bo), 200, roomSchema);
    expect(left.members).toBe(1);
    expect(left).not.toHaveProperty('me_role');
    expectRefusal(await remove(`/rooms/${room.id}/members/me`, bo), 403, 'not allowed');
  });

  test('in a public room joining and leaving is silent; in a private one both are notices', async () => {
    const open = await createRoom(server, ann);
    await put(`/rooms/${open.id}/members/me`, undefined, bo);
    await remove(`/rooms/${open.id}/members/me`, bo);
    expect(await noticesOf(open)).toEqual([]);
    const closed = await privateRoom();
    await put(`/rooms/${closed.id}/members/${bo.userId}`);
    await remove(`/rooms/${closed.id}/members/me`, bo);
    expect(await noticesOf(closed)).toEqual([`added by ${ann.username}`, `left by ${bo.username}`]);
  });

  test('the last owner names another before leaving', async () => {
    const room = await createRoom(server, ann);
    await put(`/rooms/${room.id}/members/${bo.userId}`);
    const leave = () => remove(`/rooms/${room.id}/members/me`);
    const step = (role: string) => put(`/rooms/${room.id}/members/${ann.userId}`, { role });
    expectRefusal(await leave(), 409, 'name another owner first');
    expectRefusal(await step('member'), 409, 'name another owner first');
    await put(`/rooms/${room.id}/members/${bo.userId}`, { role: 'owner' });
    expect((await leave()).status).toBe(204);
    expect((await membersOf(room)).members).toMatchObject([{ user_id: bo.userId, role: 'owner' }]);
  });
});

describe('PUT and DELETE /api/v1/rooms/:id/members/:user_id', () => {
  test('adds a member, changes the role and removes; each is a notice with the member after it', async () => {
    const room = await privateRoom();
    const path = `/rooms/${room.id}/members/${bo.userId}`;
    const added = expectReply(await put(path), 200, memberSchema);
    expect(added).toMatchObject({ user_id: bo.userId, username: bo.username, role: 'member' });
    expect(expectReply(await put(path, { role: 'moderator' }), 200, memberSchema).role).toBe('moderator');
    expect((await remove(path)).status).toBe(204);
    expectRefusal(await ask(`/rooms/${room.id}`, {}, bo), 404, 'room not found');
    const by = `by ${ann.username}`;
    expect(await noticesOf(room)).toEqual([`added ${by}`, `role ${by}`, `removed ${by}`]);
  });

  test('a repeat takes no number', async () => {
    const room = await createRoom(server, ann);
    const path = `/rooms/${room.id}/members/${bo.userId}`;
    for (let time = 0; time < 3; time++) await put(path);
    for (let time = 0; time < 3; time++) await put(path, { role: 'moderator' });
    expect(expectReply(await ask(`/rooms/${room.id}`), 200, roomSchema).seq).toBe(2);
  });

  test('a moderator removes members, and neither moderators nor owners', async () => {
    const room = await createRoom(server, ann);
    const path = (login: Login) => `/rooms/${room.id}/members/${login.userId}`;
    await put(path(bo), { role: 'moderator' });
    await put(path(cy), { role: 'moderator' });
    expectRefusal(await remove(path(cy), bo), 403, 'not allowed');
    expectRefusal(await remove(path(ann), bo), 403, 'not allowed');
    await put(path(cy), { role: 'member' });
    expect((await remove(path(cy), bo)).status).toBe(204);
  });

  test('429 after too many changes, by this user alone', async () => {
    const dee = await signUp(server);
    const path = `/rooms/${(await createRoom(server, dee)).id}/members/${bo.userId}`;
    const changes = Array.from({ length: 300 }, () => put(path, undefined, dee));
    expect((await Promise.all(changes)).map(({ status }) => status)).toContain(429);
    expect((await put(`/rooms/${(await createRoom(server, ann)).id}/members/${bo.userId}`)).status).toBe(200);
  });

  test('404 user not found, 400 invalid payload, 400 bad request', async () => {
    const room = await createRoom(server, ann);
    const path = (id: unknown) => `/rooms/${room.id}/members/${id}`;
    expectRefusal(await put(path(999_999)), 404, 'user not found');
    expectRefusal(await remove(path(999_999)), 404, 'user not found');
    expectRefusal(await put(path(bo.userId), { role: 'king' }), 400, 'invalid payload');
    expectRefusal(await put(path('bo')), 400, 'bad request');
    expectRefusal(await put('/rooms/0/members/1'), 400, 'invalid room id');
  });

  test('a user cannot add a person who has blocked them', async () => {
    const room = await createRoom(server, ann);
    const victim = await signUp(server);
    await put(`/me/blocks/${ann.userId}`, undefined, victim);
    expectRefusal(await put(`/rooms/${room.id}/members/${victim.userId}`), 403, 'not allowed');
  });
});

describe('GET /api/v1/rooms/:id/members', () => {
  test('comes by id in pages that meet; q finds members by how a name begins', async () => {
    const room = await createRoom(server, ann);
    for (const login of [bo, cy]) await put(`/rooms/${room.id}/members/${login.userId}`);
    const first = await membersOf(room, '?limit=2');
    expect(first.members.map(({ user_id }) => user_id)).toEqual([ann.userId, bo.userId]);
    expect(first.has_more).toBe(true);
    const rest = await membersOf(room, `?limit=2&after_id=${bo.userId}`);
    expect(rest).toMatchObject({ members: [{ user_id: cy.userId, role: 'member' }], has_more: false });
    const found = await membersOf(room, `?q=${encodeURIComponent(bo.username.toUpperCase())}`);
    expect(found.members).toHaveLength(1);
    expectRefusal(await ask(`/rooms/${room.id}/members?limit=201`), 400, 'invalid limit');
    expectRefusal(await ask(`/rooms/${room.id}/members?after_id=x`), 400, 'invalid after_id');
  });
});

describe('PUT /api/v1/rooms/:id/prefs', () => {
  test('changes what it names, for oneself alone', async () => {
    const room = await createRoom(server, ann);
    await put(`/rooms/${room.id}/members/me`, undefined, bo);
    const until = '2999-01-01T00:00:00.000Z';
    const set = await put(`/rooms/${room.id}/prefs`, { notify: 'none', notify_muted_until: until }, bo);
    expect(expectReply(set, 200, membershipSchema)).toMatchObject({ notify: 'none', starred: false });
    const more = await put(`/rooms/${room.id}/prefs`, { starred: true, notify_muted_until: null }, bo);
    const threads = await put(`/rooms/${room.id}/prefs`, { threads: 'none' }, bo);
    expect(expectReply(threads, 200, membershipSchema)).toMatchObject({ threads: 'none', starred: true });
    expect(expectReply(more, 200, membershipSchema)).toMatchObject({
      ...{ notify: 'none', notify_muted_until: null, starred: true },
    });
    const own = expectReply(await ask('/me/rooms', {}, ann), 200, myRoomsResponse);
    expect(own.rooms.find((entry) => entry.room.id === room.id)?.me).toMatchObject({ notify: null });
    expectRefusal(await put(`/rooms/${room.id}/prefs`, { notify: 'loud' }), 400, 'invalid payload');
    expectRefusal(await put(`/rooms/${room.id}/prefs`, { threads: 'default' }), 400, 'invalid payload');
  });
});

describe('GET /api/v1/me/rooms', () => {
  test("has the user's rooms with memberships and counts, and the head of the user's log, which grows with each change", async () => {
    const dee = await signUp(server);
    const read = async () => expectReply(await ask('/me/rooms', {}, dee), 200, myRoomsResponse);
    const before = await read();
    const room = await createRoom(server, dee);
    const after = await read();
    expect(after.user_seq).toBeGreaterThan(before.user_seq);
    expect(after.epoch).toBe(before.epoch);
    expect(after.rooms.find((entry) => entry.room.id === room.id)).toEqual({
      room: { ...room, me_role: 'owner' },
      me: expect.objectContaining({ role: 'owner', read_seq: 0, starred: false }),
      ...{ seq: 0, number: 0, unread: 0, mentions: 0, last: null },
    });
  });
});
