import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, messageSchema } from '../../protocol/events.ts';
import { flowResponse } from '../../protocol/rest/messages.ts';
import type { Room } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const TOTAL = 60;

let server: ServerProcess;
let ann: Login;
let bo: Login;
let room: Room;
let said: Message[];
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = [await signUp(server), await signUp(server)];
  room = await createRoom(server, ann);
  const socket = await ChatClient.enter(server, ann, room.id);
  for (let number = 1; number <= TOTAL; number++) socket.say(`message ${number}`);
  said = await socket.waitForCount('message', TOTAL);
  await socket.close();
});
afterAll(async () => await server?.dispose());

const get = (query: string, { roomId = room.id, login = ann } = {}) =>
  send(server, `/api/v1/rooms/${roomId}/messages?${query}`, { token: login.accessToken });

/** Which messages a page has, by their place in `said`, counted from 1. */
async function page(query: string) {
  const { messages, target, ...more } = expectReply(await get(`view=flow&${query}`), 200, flowResponse);
  for (const message of messages) messageSchema.strict().parse(message);
  return {
    seqs: [messages[0]?.seq, messages.at(-1)?.seq],
    count: messages.length,
    more: [more.has_more, more.has_more_after],
    target: said.find(({ id }) => id === target?.id)?.seq,
  };
}

const idOf = (seq: number) => said[seq - 1]?.id;

describe('GET /api/v1/rooms/:id/messages?view=flow', () => {
  test('has_more is about what is before the page, has_more_after about what is after it', async () => {
    expect(await page('limit=10')).toMatchObject({ seqs: [51, 60], more: [true, false] });
    expect(await page(`limit=10&before_id=${idOf(31)}`)).toMatchObject({
      seqs: [21, 30],
      more: [true, true],
    });
    expect(await page(`limit=10&after_id=${idOf(50)}`)).toMatchObject({
      seqs: [51, 60],
      more: [true, false],
    });
    expect(await page(`limit=9&after_id=${idOf(50)}`)).toMatchObject({ seqs: [51, 59], more: [true, true] });
    expect(await page('limit=60')).toMatchObject({ seqs: [1, 60], more: [false, false] });
  });

  test('around_id: half of the page is before the message, the rest from it on', async () => {
    const middle = { seqs: [25, 34], count: 10, more: [true, true], target: 30 };
    expect(await page(`limit=10&around_id=${idOf(30)}`)).toEqual(middle);
    const start = { seqs: [1, 7], count: 7, more: [false, true], target: 3 };
    expect(await page(`limit=10&around_id=${idOf(3)}`)).toEqual(start);
    const end = { seqs: [55, 60], count: 6, more: [true, false], target: 60 };
    expect(await page(`limit=10&around_id=${idOf(60)}`)).toEqual(end);
    expect(await page(`limit=1&around_id=${idOf(30)}`)).toMatchObject({ seqs: [30, 30], target: 30 });
  });

  test('around_time: from the first message of that time or later; beyond the end, the last one', async () => {
    const at = said[29]?.created_at ?? '';
    const first = said.find(({ created_at }) => created_at === at)?.seq;
    expect(await page(`limit=10&around_time=${at}`)).toMatchObject({ target: first });
    const elsewhere = new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '%2B01:00');
    expect(await page(`limit=10&around_time=${elsewhere}`)).toMatchObject({ target: first });
    expect(await page('limit=10&around_time=1970-01-01T00:00:00Z')).toMatchObject({ target: 1, count: 5 });
    const end = { seqs: [56, 60], more: [true, false], target: 60 };
    expect(await page('limit=10&around_time=9999-01-01T00:00:00Z')).toMatchObject(end);
  });

  test('around_time in an empty room: an empty page without a target', async () => {
    const { id: roomId } = await createRoom(server, ann);
    const reply = await get('view=flow&around_time=1970-01-01T00:00:00Z', { roomId });
    const empty = { messages: [], has_more: false, has_more_after: false, seq: 0 };
    expect(expectReply(reply, 200, flowResponse)).toEqual({ ...empty, epoch: expect.any(String) });
  });
});

describe('404', () => {
  test('message not found: a message that is not there, and one of another room', async () => {
    const { id: roomId } = await createRoom(server, ann);
    for (const id of [Number.MAX_SAFE_INTEGER, idOf(1)]) {
      expectRefusal(await get(`view=flow&around_id=${id}`, { roomId }), 404, 'message not found');
    }
  });

  test('room not found: a room that one may not see, whether or not it has the message', async () => {
    const hidden = await createRoom(server, ann);
    const path = `/api/v1/rooms/${hidden.id}`;
    const body = JSON.stringify({ kind: 'private' });
    await send(server, path, { method: 'PATCH', token: ann.accessToken, body });
    const shown = await send(server, `${path}/messages?view=flow`, { token: ann.accessToken });
    const { messages } = expectReply(shown, 200, flowResponse);
    for (const id of [messages[0]?.id, Number.MAX_SAFE_INTEGER]) {
      const reply = await get(`view=flow&around_id=${id}`, { roomId: hidden.id, login: bo });
      expectRefusal(reply, 404, 'room not found');
    }
  });
});

describe('400', () => {
  test.each(['', '0', 'x', '-1', '1&around_id=1'])('invalid around_id: %s', async (value) => {
    expectRefusal(await get(`view=flow&around_id=${value}`), 400, 'invalid around_id');
  });

  test.each(['', '0', '1700000000000', '2026-11-22', '2026-11-22T10:00:00', '2026-02-30T00:00:00Z', 'now'])(
    'invalid around_time: %s',
    async (value) => {
      expectRefusal(await get(`view=flow&around_time=${value}`), 400, 'invalid around_time');
    },
  );

  test.each([
    ['around_id=1&before_id=1', 'invalid around_id'],
    ['around_id=1&after_id=1', 'invalid around_id'],
    ['around_time=2026-11-22T00:00:00Z&before_id=1', 'invalid around_time'],
    ['around_time=2026-11-22T00:00:00Z&around_id=1', 'invalid around_time'],
  ])('two places at once: %s', async (query, error) => {
    expectRefusal(await get(`view=flow&${query}`), 400, error);
  });

  test('a place without view=flow', async () => {
    expectRefusal(await get(`around_id=${idOf(1)}`), 400, 'invalid around_id');
    expectRefusal(await get('around_time=2026-11-22T00:00:00Z'), 400, 'invalid around_time');
  });
});
