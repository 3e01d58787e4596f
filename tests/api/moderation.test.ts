/** Moderation of rooms: what a mute, a ban and a report do, and what stays of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditResponse, reportsResponse, restrictedResponse } from '../../protocol/rest/administration.ts';
import type { Room, RoomEntry } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type RequestOptions, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let owner: Login;
let moderator: Login;
let member: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [owner, moderator, member] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
}, 60_000);
afterAll(async () => await server?.dispose());

const as = (login: Login, path: string, options: RequestOptions = {}) =>
  send(server, `/api/v1${path}`, { ...options, token: login.accessToken });
const put = (login: Login, path: string, json: object = {}) => as(login, path, { method: 'PUT', json });
const remove = (login: Login, path: string) => as(login, path, { method: 'DELETE' });

async function newRoom(kind: 'public' | 'private' = 'public'): Promise<Room> {
  const room = await createRoom(server, owner, undefined, kind);
  for (const { userId } of [moderator, member]) await addMember(server, owner, room.id, userId);
  await put(owner, `/rooms/${room.id}/members/${moderator.userId}`, { role: 'moderator' });
  return room;
}

/** Posts, and returns the id of the message or the refusal. */
async function say(login: Login, roomId: number, content = 'a text'): Promise<number | string> {
  const line = await LineClient.start(server, login);
  line.send({ type: 'message', room_id: roomId, content, cid: `${content} ${Math.random()}` });
  const answer = await line.until('ack or error', () => line.of('ack')[0] ?? line.of('error')[0]);
  await line.close();
  return answer.type === 'ack' ? answer.id : answer.code;
}

const restricted = async (roomId: number) =>
  expectReply(await as(moderator, `/rooms/${roomId}/restricted`), 200, restrictedResponse).people;
const auditOf = async (login: Login, path: string) =>
  expectReply(await as(login, path), 200, auditResponse).entries;
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('a mute', () => {
  it('lets the person read and not write, until it is lifted', async () => {
    const { id } = await newRoom();
    expect((await put(moderator, `/rooms/${id}/mutes/${member.userId}`, { reason: 'Shouting' })).status).toBe(
      204,
    );
    expect(await say(member, id)).toBe('not_allowed');
    expect((await as(member, `/rooms/${id}/messages`)).status).toBe(200);
    expect(await restricted(id)).toEqual([
      {
        ...{ user_id: member.userId, username: member.username },
        ...{ muted_until: '9999-12-31T23:59:59.999Z', banned_until: null },
      },
    ]);
    expect((await remove(moderator, `/rooms/${id}/mutes/${member.userId}`)).status).toBe(204);
    expect(await say(member, id)).toEqual(expect.any(Number));
    expect(await restricted(id)).toEqual([]);
  });

  it('ends by itself; one that has ended before it begins is refused', async () => {
    const { id } = await newRoom();
    const mute = (until: string) => put(moderator, `/rooms/${id}/mutes/${member.userId}`, { until });
    expectRefusal(await mute(soon(-1000)), 400, 'invalid payload');
    expect((await mute(soon(1500))).status).toBe(204);
    expect(await say(member, id)).toBe('not_allowed');
    await expect.poll(() => say(member, id), { timeout: 10_000 }).toEqual(expect.any(Number));
  });

  it('is in the own membership of the person concerned, at once on open lines, until it is lifted', async () => {
    const { id } = await newRoom();
    const line = await LineClient.start(server, member);
    const until = soon(60_000);
    expect((await put(moderator, `/rooms/${id}/mutes/${member.userId}`, { until })).status).toBe(204);
    const isHere = (frame: { room_id: number }) => frame.room_id === id;
    expect((await line.waitFor('me', isHere)).me).toMatchObject({ role: 'member', silenced_until: until });
    const listed = async () => {
      const { rooms } = (await as(member, '/me/rooms')).json as { rooms: RoomEntry[] };
      return rooms.find(({ room }) => room.id === id)?.me.silenced_until;
    };
    expect(await listed()).toBe(until);
    const from = line.mark();
    expect((await remove(moderator, `/rooms/${id}/mutes/${member.userId}`)).status).toBe(204);
    expect((await line.waitFor('me', isHere, from)).me).not.toHaveProperty('silenced_until');
    expect(await listed()).toBeUndefined();
    await line.close();
  });

  it('holds for somebody who was never in a public room', async () => {
    const { id } = await newRoom();
    const stranger = await signUp(server);
    expect((await put(moderator, `/rooms/${id}/mutes/${stranger.userId}`)).status).toBe(204);
    expect(await say(stranger, id)).toBe('not_allowed');
  });
});

describe('a ban', () => {
  it.each(['public', 'private'] as const)(
    '%s: the person is out, and cannot come back until it is lifted',
    async (kind) => {
      const { id } = await newRoom(kind);
      const line = await LineClient.start(server, member);
      expect((await put(moderator, `/rooms/${id}/bans/${member.userId}`)).status).toBe(204);
      await line.close();
      const join = await put(member, `/rooms/${id}/members/me`);
      if (kind === 'public') expectRefusal(join, 403, 'not allowed');
      else expectRefusal(join, 404, 'room not found');
      expect(await say(member, id)).toBe(kind === 'public' ? 'not_allowed' : 'room_not_found');
      expectRefusal(await put(owner, `/rooms/${id}/members/${member.userId}`), 403, 'not allowed');
      expect((await remove(moderator, `/rooms/${id}/bans/${member.userId}`)).status).toBe(204);
      expect((await put(owner, `/rooms/${id}/members/${member.userId}`)).status).toBe(200);
      expect(await say(member, id)).toEqual(expect.any(Number));
    },
  );

  it.each([
    ['chatroom.v1', ChatClient.enter],
    ['a line', RoomLine.enter],
  ])(
    'that ends by its time: others see the person again whose socket stayed open, over %s',
    async (_, enter) => {
      const { id } = await newRoom();
      const witness = await ChatClient.enter(server, owner, id);
      expect((await put(moderator, `/rooms/${id}/bans/${member.userId}`, { until: soon(4000) })).status).toBe(
        204,
      );
      const socket = await enter(server, member, id);
      await witness.settle();
      const joins = () => witness.of('join').filter(({ user_id }) => user_id === member.userId);
      expect(joins()).toEqual([]);
      await witness.waitFor('join', ({ user_id }) => user_id === member.userId);
      expect(joins()).toHaveLength(1);
      await socket.close();
      await witness.waitFor('leave', ({ user_id }) => user_id === member.userId);
      await witness.close();
    },
  );

  it('deletes what the person has posted lately, when it says so', async () => {
    const { id } = await newRoom();
    const ids = [await say(member, id, 'one'), await say(member, id, 'two')];
    const kept = await say(moderator, id, 'three');
    expect((await put(moderator, `/rooms/${id}/bans/${member.userId}`, { delete_last_s: 3600 })).status).toBe(
      204,
    );
    const { messages } = (await as(owner, `/rooms/${id}/messages`)).json as {
      messages: { id: number; content: string }[];
    };
    const contents = new Map(messages.map((message) => [message.id, message.content]));
    expect(ids.map((one) => contents.get(Number(one)))).toEqual(['', '']);
    expect(contents.get(Number(kept))).toBe('three');
  });
});

describe('who moderates whom', () => {
  it('nobody acts on an equal or higher role, nor on oneself', async () => {
    const { id } = await newRoom();
    const other = await signUp(server);
    await addMember(server, owner, id, other.userId);
    await put(owner, `/rooms/${id}/members/${other.userId}`, { role: 'moderator' });
    for (const kind of ['mutes', 'bans']) {
      for (const { userId } of [owner, other, moderator])
        expectRefusal(await put(moderator, `/rooms/${id}/${kind}/${userId}`), 403, 'not allowed');
      expectRefusal(await put(owner, `/rooms/${id}/${kind}/${owner.userId}`), 403, 'not allowed');
      expectRefusal(await put(moderator, `/rooms/${id}/${kind}/9999999`), 404, 'user not found');
    }
    expect((await put(owner, `/rooms/${id}/mutes/${other.userId}`)).status).toBe(204);
  });
});

describe('the audit log of a room', () => {
  it('has a row for each act, none for one that changed nothing or was refused', async () => {
    const { id } = await newRoom();
    const text = await say(member, id);
    const onMember = (kind: string) => `/rooms/${id}/${kind}/${member.userId}`;
    const until = soon(3_600_000);
    await put(moderator, onMember('mutes'), { until, reason: 'Shouting' });
    await put(moderator, onMember('mutes'), { until, reason: 'Shouting' });
    await put(member, `/rooms/${id}/mutes/${moderator.userId}`);
    await remove(moderator, onMember('mutes'));
    await remove(moderator, `/rooms/${id}/messages/${text}`);
    await put(owner, onMember('members'), { role: 'moderator' });
    await remove(owner, onMember('members'));
    await put(moderator, onMember('bans'));
    await remove(moderator, onMember('bans'));
    const rows = await auditOf(moderator, `/rooms/${id}/audit`);
    expect(rows.map(({ action, user, details }) => [action, user?.user_id, details])).toEqual([
      ['unbanned', member.userId, {}],
      ['banned', member.userId, { until: '9999-12-31T23:59:59.999Z' }],
      ['removed', member.userId, {}],
      ['room_role', member.userId, { from: 'member', to: 'moderator' }],
      ['message_deleted', member.userId, {}],
      ['unmuted', member.userId, {}],
      ['muted', member.userId, { until, reason: 'Shouting' }],
      ['room_role', moderator.userId, { from: 'member', to: 'moderator' }],
    ]);
    const own = await auditOf(member, '/me/audit');
    expect(own.filter(({ room }) => room?.id === id)).toEqual(rows.slice(0, -1));
  });

  it('does not tell the name of a private room to somebody who was banned from it', async () => {
    const { id, name } = await newRoom('private');
    await put(moderator, `/rooms/${id}/mutes/${member.userId}`);
    const nameOf = async (login: Login) => {
      const own = await auditOf(login, '/me/audit');
      return own.find(({ room }) => room?.id === id)?.room?.name;
    };
    expect(await nameOf(member)).toBe(name);
    await put(moderator, `/rooms/${id}/bans/${member.userId}`);
    await as(owner, `/rooms/${id}`, { method: 'PATCH', json: { name: `${name} anew` } });
    expect(await nameOf(member)).toBe('');
  });
});

describe('a report', () => {
  const report = (login: Login, roomId: number, messageId: unknown, json: object = { reason: 'spam' }) =>
    as(login, `/rooms/${roomId}/messages/${messageId}/reports`, { method: 'POST', json });
  const reports = async (login: Login, roomId: number, state = 'open') =>
    expectReply(await as(login, `/rooms/${roomId}/reports?state=${state}`), 200, reportsResponse).reports;
  const close = (login: Login, id: unknown) =>
    as(login, `/reports/${id}/close`, { method: 'POST', json: { resolution: 'acted', note: 'Deleted' } });

  it('keeps the text as it was reported, also when it is deleted; each person reports once', async () => {
    const { id } = await newRoom();
    const text = await say(member, id, 'Buy now!');
    for (let count = 0; count < 2; count++) expect((await report(owner, id, text)).status).toBe(204);
    await remove(member, `/rooms/${id}/messages/${text}`);
    expectRefusal(await report(moderator, id, text), 404, 'message not found');
    const [only, ...others] = await reports(moderator, id);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ excerpt: 'Buy now!', reason: 'spam', message_id: text, closed_at: null });
    expect(only?.reporter.user_id).toBe(owner.userId);
  });

  it('is judged by moderators, not by whom it is about; its end is on record', async () => {
    const { id } = await newRoom();
    const text = await say(moderator, id, 'rude');
    expectRefusal(await report(moderator, id, text), 403, 'not allowed');
    expect((await report(member, id, text, { reason: 'harassment', note: 'Again' })).status).toBe(204);
    expect(await reports(moderator, id)).toEqual([]);
    const [one] = await reports(owner, id);
    for (const login of [moderator, member])
      expectRefusal(await close(login, one?.id), 404, 'report not found');
    expect((await close(owner, one?.id)).status).toBe(204);
    expectRefusal(await close(owner, one?.id), 404, 'report not found');
    expect(await reports(owner, id)).toEqual([]);
    const [closed] = await reports(owner, id, 'closed');
    expect(closed).toMatchObject({
      resolution: 'acted',
      note: 'Again',
      closed_by: { user_id: owner.userId },
    });
    const [row] = await auditOf(owner, `/rooms/${id}/audit`);
    expect(row).toMatchObject({
      action: 'report_closed',
      message_id: text,
      details: { resolution: 'acted', note: 'Deleted' },
    });
  });
});
