import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, messageSchema } from '../../protocol/events.ts';
import { type HistoryPage, historyResponse } from '../../protocol/rest/messages.ts';
import type { Room } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type HttpReply, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const TOTAL = 230;

let server: ServerProcess;
let ann: Login;
let room: Room;
/** As they were broadcast. */
let live: Message[];
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
  room = await createRoom(server, ann);
  // Messages of a second room in between leave gaps in the ids of the first.
  const other = await ChatClient.enter(server, ann, (await createRoom(server, ann)).id);
  const socket = await ChatClient.enter(server, ann, room.id);
  for (let number = 1; number <= TOTAL; number++) {
    socket.say(`message ${number}`);
    if (number % 3 === 0) other.say('elsewhere');
  }
  live = await socket.waitForCount('message', TOTAL);
  await Promise.all([socket.close(), other.close()]);
});
afterAll(async () => await server?.dispose());

const get = (query = '', roomId: number | string = room.id): Promise<HttpReply> =>
  send(server, `/api/v1/rooms/${roomId}/messages${query}`, { token: ann.accessToken });

/** Of a page of `room`, whose head is the last message. */
function pageOf(reply: HttpReply, head = TOTAL): Pick<HistoryPage, 'messages' | 'has_more'> {
  const { epoch, seq, ...page } = expectReply(reply, 200, historyResponse);
  for (const message of page.messages) messageSchema.strict().parse(message);
  expect({ epoch: epoch !== '', seq }).toEqual({ epoch: true, seq: head });
  return page;
}

describe('GET /api/v1/rooms/:id/messages: 200 {messages, has_more, epoch, seq}, ascending', () => {
  test('without a cursor: the newest 50', async () => {
    const page = pageOf(await get());
    expect(page.messages).toEqual(live.slice(-50));
    expect(page.has_more).toBe(true);
  });

  test('live order, history order, id order and seq order are one order', async () => {
    const all = await readHistory(server, ann, room.id);
    expect(all).toEqual(live);
    expect(all.map((message) => message.seq)).toEqual(Array.from({ length: TOTAL }, (_, index) => index + 1));
    expect(all.map((message) => message.id)).toEqual(all.map((message) => message.id).sort((a, b) => a - b));
    const times = all.map((message) => message.created_at);
    expect(times).toEqual([...times].sort());
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('limit 1-200: the newest that many; has_more says whether older ones are left', async () => {
    for (const limit of [1, 2, 199, 200]) {
      const page = pageOf(await get(`?limit=${limit}`));
      expect(page).toEqual({ messages: live.slice(-limit), has_more: true });
    }
  });

  test('before_id: only messages with an id lower than it, the nearest ones', async () => {
    const cursor = live[100]?.id;
    expect(pageOf(await get(`?before_id=${cursor}&limit=10`))).toEqual({
      messages: live.slice(90, 100),
      has_more: true,
    });
    expect(pageOf(await get(`?before_id=${cursor}&limit=100`))).toEqual({
      messages: live.slice(0, 100),
      has_more: false,
    });
    expect(pageOf(await get(`?before_id=${cursor}&limit=99`)).has_more).toBe(true);
    expect(pageOf(await get(`?before_id=${live[0]?.id}`))).toEqual({ messages: [], has_more: false });
    expect(pageOf(await get(`?before_id=${Number.MAX_SAFE_INTEGER}`)).messages).toEqual(live.slice(-50));
  });

  test('after_id: only messages with an id higher than it, the nearest ones', async () => {
    const cursor = live[99]?.id;
    expect(pageOf(await get(`?after_id=${cursor}&limit=10`))).toEqual({
      messages: live.slice(100, 110),
      has_more: true,
    });
    expect(pageOf(await get(`?after_id=${cursor}&limit=130`))).toEqual({
      messages: live.slice(100),
      has_more: false,
    });
    expect(pageOf(await get(`?after_id=${cursor}&limit=129`)).has_more).toBe(true);
    expect(pageOf(await get(`?after_id=${live.at(-1)?.id}`))).toEqual({ messages: [], has_more: false });
  });

  test('a cursor need not be an id of this room', async () => {
    const [here, elsewhere] = [await createRoom(server, ann), await createRoom(server, ann)];
    const posted: number[] = [];
    for (const room of [here, elsewhere, here]) {
      const socket = await ChatClient.enter(server, ann, room.id);
      socket.say('a message');
      await socket.waitForCount('message', 1);
      posted.push(socket.of('message')[0]?.id ?? 0);
      await socket.close();
    }
    const [first, foreign, last] = posted;
    const idsOf = async (query: string) => pageOf(await get(query, here.id), 2).messages.map(({ id }) => id);
    expect(await idsOf(`?before_id=${foreign}&limit=1`)).toEqual([first]);
    expect(await idsOf(`?after_id=${foreign}&limit=1`)).toEqual([last]);
  });

  test('an empty room', async () => {
    const empty = await createRoom(server, ann);
    expect(pageOf(await get('', empty.id), 0)).toEqual({ messages: [], has_more: false });
  });

  test('exactly one page: no more', async () => {
    const small = await createRoom(server, ann);
    const socket = await ChatClient.enter(server, ann, small.id);
    for (let count = 0; count < 50; count++) socket.say(`message ${count}`);
    await socket.waitForCount('message', 50);
    await socket.close();
    const page = pageOf(await get('', small.id), 50);
    expect({ count: page.messages.length, has_more: page.has_more }).toEqual({ count: 50, has_more: false });
    expect(pageOf(await get('?limit=49', small.id), 50).has_more).toBe(true);
  });

  test('every signed-in user may read every room', async () => {
    const bo = await signUp(server);
    const reply = await send(server, `/api/v1/rooms/${room.id}/messages?limit=1`, { token: bo.accessToken });
    expect(pageOf(reply).messages).toEqual(live.slice(-1));
  });
});

describe('400: query and path integers are plain decimal digits, given once', () => {
  const BAD = [
    '0',
    '-1',
    '+1',
    '1.5',
    '1e0',
    '0x10',
    '%201',
    '1%20',
    '1abc',
    '',
    'NaN',
    '9007199254740992',
    '1%00',
  ];

  test.each([...BAD, '201', '1&limit=1'])('invalid limit: %s', async (value) => {
    expectRefusal(await get(`?limit=${value}`), 400, 'invalid limit');
  });
  test.each([...BAD, '1&before_id=1'])('invalid before_id: %s', async (value) => {
    expectRefusal(await get(`?before_id=${value}`), 400, 'invalid before_id');
  });
  test.each([...BAD, '1&after_id=1'])('invalid after_id: %s', async (value) => {
    expectRefusal(await get(`?after_id=${value}`), 400, 'invalid after_id');
  });
  test.each(BAD.filter((value) => value !== ''))('invalid room id: %s', async (value) => {
    expectRefusal(await get('', value), 400, 'invalid room id');
  });

  test('before_id and after_id together', async () => {
    const reply = await get('?before_id=5&after_id=1');
    expect(reply.status).toBe(400);
    expect((reply.json as { error: string }).error).toMatch(/^invalid (before|after)_id$/);
  });

  test('brackets make no list and no object of a field', async () => {
    pageOf(await get('?limit[]=1&before_id[a]=1&__proto__[limit]=x'));
  });
});

describe('404 room not found', () => {
  test.each(['999999', String(Number.MAX_SAFE_INTEGER)])('%s', async (roomId) => {
    expectRefusal(await get('', roomId), 404, 'room not found');
  });

  test('400 takes precedence over it', async () => {
    expectRefusal(await get('?limit=0', 999_999), 400, 'invalid limit');
  });
});
