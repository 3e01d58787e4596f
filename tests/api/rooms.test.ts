import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, messageSchema } from '../../protocol/events.ts';
import { ROOM_HUE_NAMES } from '../../protocol/hues.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { type Room, roomSchema } from '../../protocol/rooms.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type HttpReply, post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, logIn, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const create = (name: unknown) => post(server, '/api/v1/rooms', { name }, { token: ann.accessToken });
const list = (query = ''): Promise<HttpReply> =>
  send(server, `/api/v1/rooms${query}`, { token: ann.accessToken });
const roomsOf = (reply: HttpReply): Room[] =>
  expectReply(reply, 200, roomsResponse).rooms.map((room) => roomSchema.strict().parse(room));
const idsOf = (reply: HttpReply): number[] => roomsOf(reply).map((room) => room.id);

describe('POST /api/v1/rooms: 201 {id, name, online, seq, …}', () => {
  test('a new room is empty', async () => {
    const name = uniqueName('room');
    const room = expectReply(await create(name), 201, roomSchema);
    expect(room).toMatchObject({ id: room.id, name, online: 0, seq: 0 });
    expect(room).toMatchObject({ kind: 'public', topic: '', emoji: null, hue: null, archived: false });
    expect(room.number).toBe(0);
    expect(room.id).toBeGreaterThan(0);
  });

  test('a room has the hue that its maker chooses; 400 invalid payload for one that is none', async () => {
    const make = (hue: unknown) =>
      post(server, '/api/v1/rooms', { name: uniqueName('room'), hue }, { token: ann.accessToken });
    for (const hue of ROOM_HUE_NAMES) expect(expectReply(await make(hue), 201, roomSchema).hue).toBe(hue);
    for (const hue of ['red', 'Teal', '', 180, null, ['teal']])
      expectRefusal(await make(hue), 400, 'invalid payload');
  });

  test('names are NFC, trimmed, 1-128 code points', async () => {
    const long = `${uniqueName('')}${'\u{10400}'.repeat(128)}`.slice(-256);
    expect(expectReply(await create(long), 201, roomSchema).name).toBe(long);
    expectRefusal(await create(`${'\u{10400}'.repeat(129)}`), 400, 'invalid payload');
    expect(expectReply(await create('\u{1F98A}'), 201, roomSchema).name).toBe('\u{1F98A}');
    const name = uniqueName('cafe\u0301');
    expect(expectReply(await create(`  ${name} `), 201, roomSchema).name).toBe(name.normalize('NFC'));
  });

  test.each([
    ...[undefined, null, 1, true, ['room'], {}, '', '   ', 'a\0b', '\ud800', 'a\u200bb', 'a\u202eb', 'a\nb'],
    ...['a\u0007b', '\ufeffroom', 'a\u3164b', 'a'.repeat(129)],
  ])('400 invalid payload: %j', async (name) => {
    expectRefusal(await create(name), 400, 'invalid payload');
  });

  test.each([
    ['the same', (name: string) => name],
    ['capitals', (name: string) => name.toUpperCase()],
    ['decomposed', (name: string) => name.normalize('NFD')],
    ['full width', (name: string) => name.replace('c', '\uff43')],
    ['white space around', (name: string) => `  ${name}`],
  ])('409 room name taken: %s', async (_, variant) => {
    const name = uniqueName('caf\u00e9');
    await createRoom(server, ann, name);
    expectRefusal(await create(variant(name)), 409, 'room name taken');
  });

  test.each([
    ['a small letter of another script', 'payroll', 'p\u0430yroll'],
    ['a capital of another script', 'Boardroom', '\u0412oardroom'],
    ['two spaces', 'pay roll', 'pay  roll'],
    ['an invisible dot', 'hiring', 'hi\u0307ring'],
  ])('409 room name taken: it looks the same, with %s', async (_, name, alike) => {
    const tag = uniqueName('').slice(1);
    await createRoom(server, ann, `${name} ${tag}`);
    expectRefusal(await create(`${alike} ${tag}`), 409, 'room name taken');
  });

  test('20 at once for one name: exactly one is made', async () => {
    const name = uniqueName('race');
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(name)));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(19);
  });

  test('SQL and markup are stored literally', async () => {
    for (const name of ["r'); DROP TABLE rooms;--", '<script>alert(1)</script>', '%_\\']) {
      expect(expectReply(await create(name), 201, roomSchema).name).toBe(name);
    }
  });
});

describe('GET /api/v1/rooms: 200 {rooms:[{id, name, online, seq}]}', () => {
  test('newest first', async () => {
    const older = await createRoom(server, ann);
    const newer = await createRoom(server, ann);
    expect(idsOf(await list()).slice(0, 2)).toEqual([newer.id, older.id]);
  });

  test('everybody sees all public rooms, each with their own role in it', async () => {
    const { me_role: _, ...room } = await createRoom(server, ann);
    const bo = await signUp(server);
    expect(await findRoom(server, bo, room.id)).toEqual(room);
    expect(await findRoom(server, ann, room.id)).toEqual({ ...room, me_role: 'owner' });
    await send(server, `/api/v1/rooms/${room.id}/members/me`, { method: 'PUT', token: bo.accessToken });
    expect(await findRoom(server, bo, room.id)).toMatchObject({ me_role: 'member' });
  });

  test('limit takes the newest, before_id goes on where a page ended', async () => {
    const made: number[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await createRoom(server, ann)).id);
    const first = idsOf(await list('?limit=2'));
    expect(first).toEqual(made.slice(0, 2));
    const second = idsOf(await list(`?limit=3&before_id=${first[1]}`));
    expect(second).toEqual(made.slice(2, 5));
    expect(idsOf(await list('?before_id=1'))).toEqual([]);
    expect(idsOf(await list('?limit=500')).length).toBeGreaterThan(5);
    expect(idsOf(await list(`?limit=1&before_id=${Number.MAX_SAFE_INTEGER}`))).toEqual(made.slice(0, 1));
  });

  test('q: the name contains it, in any case or normal form; no character is a wildcard', async () => {
    const tag = uniqueName('q');
    const caf = await createRoom(server, ann, `Caf\u00e9 ${tag} 100%`);
    const other = await createRoom(server, ann, `Tea_room ${tag}`);
    const find = async (q: string) => idsOf(await list(`?q=${encodeURIComponent(q)}`));
    expect(await find(tag)).toEqual([other.id, caf.id]);
    expect(await find(`CAFE\u0301 ${tag}`)).toEqual([caf.id]);
    expect(await find(`${tag} 100%`)).toEqual([caf.id]);
    expect(await find(`${tag}_1_0`)).toEqual([]);
    expect(await find(`${tag}%100`)).toEqual([]);
    expect(await find(`Caf_ ${tag}`)).toEqual([]);
    expect(await find(`%${tag}`)).toEqual([]);
    expect(await find(`'; DROP TABLE rooms; -- ${tag}`)).toEqual([]);
    expect(idsOf(await list(`?q=${encodeURIComponent(tag)}&limit=1`))).toEqual([other.id]);
  });

  test.each([
    ...[
      '0',
      '-1',
      '+1',
      '1.5',
      '1e2',
      '0x10',
      '%201',
      '1%20',
      '1abc',
      '',
      '501',
      '99999999999999999999',
      'NaN',
    ],
    ...['1&limit=1', '\u0661'.split('').map(encodeURIComponent).join('')],
  ])('400 invalid limit: %s', async (limit) => {
    expectRefusal(await list(`?limit=${limit}`), 400, 'invalid limit');
  });

  test.each([
    ...['0', '-1', '1.5', '1e2', '0x10', '%201', '1abc', '', '9007199254740992', '1&before_id=2', 'null'],
  ])('400 invalid before_id: %s', async (beforeId) => {
    expectRefusal(await list(`?before_id=${beforeId}`), 400, 'invalid before_id');
  });

  test('unknown query fields are ignored', async () => {
    roomsOf(await list('?since=1&__proto__[a]=1&constructor=1'));
  });
});

describe('online: users currently connected to the room', () => {
  test('counts distinct users, not sockets, and falls when the last socket of a user leaves', async () => {
    const bo = await signUp(server);
    const room = await createRoom(server, ann);
    const online = async () => (await findRoom(server, ann, room.id))?.online;
    const reaches = (count: number) =>
      eventually(`${count} online`, async () => ((await online()) === count ? true : undefined));

    const first = await ChatClient.enter(server, ann, room.id);
    expect(await online()).toBe(1);
    const second = await ChatClient.enter(server, await logIn(server, ann.username), room.id);
    expect(await online()).toBe(1);
    const third = await ChatClient.enter(server, bo, room.id);
    expect(await online()).toBe(2);

    await first.close();
    await third.waitFor('join', (join) => join.user_id === bo.userId);
    expect(await online()).toBe(2);
    await second.drop();
    await third.waitFor('leave', (leave) => leave.user_id === ann.userId);
    expect(await online()).toBe(1);
    await third.close();
    await reaches(0);
  });
});

describe('seq: the room\u2019s last event, for unread counts', () => {
  test('it counts the messages of this room alone', async () => {
    const room = await createRoom(server, ann);
    const quiet = await createRoom(server, ann);
    const socket = await ChatClient.enter(server, ann, room.id);
    for (let count = 1; count <= 3; count++) {
      socket.say(`message ${count}`);
      await socket.waitForCount('message', count);
      expect((await findRoom(server, ann, room.id))?.seq).toBe(count);
    }
    expect((await findRoom(server, ann, quiet.id))?.seq).toBe(0);
    await socket.close();
  });
});

describe('PATCH /api/v1/rooms/:id {hue}', () => {
  const patch = (id: number, hue: unknown, login = ann) =>
    send(server, `/api/v1/rooms/${id}`, { method: 'PATCH', json: { hue }, token: login.accessToken });

  test('moderators choose one, the room hears of it, and null takes the choice back', async () => {
    const { id } = await createRoom(server, ann);
    const line = await LineClient.start(server, ann);
    await line.enter(id);
    for (const hue of ['indigo', null]) {
      expect(expectReply(await patch(id, hue), 200, roomSchema).hue).toBe(hue);
      const isIt = ({ notice }: Message) => notice?.kind === 'hue' && notice.room.hue === hue;
      const { notice } = await line.waitFor('message', isIt);
      expect(notice).toMatchObject({ by: { user_id: ann.userId }, room: { hue, emoji: null } });
      const again = await LineClient.start(server, ann);
      expect(again.rooms.find(({ room }) => room.id === id)?.room.hue).toBe(hue);
    }
    const { seq } = expectReply(await patch(id, null), 200, roomSchema);
    expect(seq).toBe(2);
  });

  test('400 invalid payload for one that is none, 403 not allowed for a member', async () => {
    const { id } = await createRoom(server, ann);
    for (const hue of ['red', 'GOLD', '', 95]) expectRefusal(await patch(id, hue), 400, 'invalid payload');
    const bo = await signUp(server);
    await send(server, `/api/v1/rooms/${id}/members/me`, { method: 'PUT', token: bo.accessToken });
    expectRefusal(await patch(id, 'gold', bo), 403, 'not allowed');
  });
});

describe('PATCH /api/v1/rooms/:id {settings}', () => {
  const patch = (id: number, settings: object) =>
    send(server, `/api/v1/rooms/${id}`, { method: 'PATCH', json: { settings }, token: ann.accessToken });

  test('pin and mention_room leave pins and calls to moderators at once, and to everybody again', async () => {
    const { id } = await createRoom(server, ann);
    const bo = await signUp(server);
    await send(server, `/api/v1/rooms/${id}/members/me`, { method: 'PUT', token: bo.accessToken });
    const [ofAnn, ofBo] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    const call = async (line: LineClient) => {
      const posted = await line.post(id, '@room lunch');
      const reply = await send(server, `/api/v1/rooms/${id}/messages/${posted.id}`, {
        token: ann.accessToken,
      });
      return expectReply(reply, 200, messageSchema);
    };
    const pin = (login: Login, messageId: number, method = 'PUT') =>
      send(server, `/api/v1/rooms/${id}/messages/${messageId}/pin`, { method, token: login.accessToken });

    const open = await call(ofBo);
    expect(open.mention_room).toBe('room');
    expect((await pin(bo, open.id)).status).toBe(204);
    const settings = { pin: 'moderator', mention_room: 'moderator' };
    expect(expectReply(await patch(id, settings), 200, roomSchema).settings).toEqual(settings);
    expect((await call(ofBo)).mention_room).toBeUndefined();
    expectRefusal(await pin(bo, open.id, 'DELETE'), 403, 'not allowed');
    expect((await call(ofAnn)).mention_room).toBe('room');
    expect((await pin(ann, open.id, 'DELETE')).status).toBe(204);
    expect(expectReply(await patch(id, {}), 200, roomSchema).settings).toEqual({});
    expect((await call(ofBo)).mention_room).toBe('room');
    expect((await pin(bo, open.id)).status).toBe(204);
  });

  test.each([{ pin: 'owner' }, { mention_room: 'nobody' }, { pin: null }])(
    '400 invalid payload: %j',
    async (settings) => {
      const { id } = await createRoom(server, ann);
      expectRefusal(await patch(id, settings), 400, 'invalid payload');
    },
  );
});
