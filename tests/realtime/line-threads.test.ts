import { afterAll, beforeAll, expect, test } from 'vitest';
import { flowResponse } from '../../protocol/rest/messages.ts';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { myRoomsResponse } from '../../protocol/rest/rooms.ts';
import {
  followedThreadsResponse,
  threadMessagesResponse,
  threadsResponse,
} from '../../protocol/rest/threads.ts';
import { expectReply } from '../support/expect-reply.ts';
import { type RequestOptions, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = [await signUp(server), await signUp(server)];
});
afterAll(async () => await server?.dispose());

async function scene() {
  const { id: roomId } = await createRoom(server, ann);
  const line = await LineClient.start(server, ann);
  await line.enter(roomId);
  const other = await LineClient.start(server, bo);
  await other.enter(roomId);
  let count = 0;
  /** Posts and waits for the ack. */
  const say = async (content: string, more: { reply_to?: number; thread_id?: number } = {}) => {
    const cid = `c-${++count}`;
    line.send({ type: 'message', room_id: roomId, content, cid, ...more });
    return await line.waitFor('ack', (ack) => ack.cid === cid);
  };
  const leave = () => Promise.all([line.close(), other.close()]);
  return { roomId, line, other, say, leave };
}

const ask = (login: Login, path: string, options: RequestOptions = {}) =>
  send(server, `/api/v1${path}`, { ...options, token: login.accessToken });
const json = (method: string, body: object): RequestOptions => ({
  method,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

test('a reply comes as a message, and then its root as a thread, with the next number', async () => {
  const { roomId, other, say, leave } = await scene();
  const root = await say('root');
  const reply = await say('reply', { thread_id: root.id });
  const thread = await other.waitFor('thread');
  expect(other.events(roomId).map(({ seq, thread_id }) => [seq, thread_id])).toEqual([
    [1, undefined],
    [2, root.id],
  ]);
  expect(thread).toEqual({
    ...{ type: 'thread', room_id: roomId, id: root.id, changed_seq: 3 },
    thread: { replies: 1, last_seq: 2, last_at: reply.created_at, people: [ann.userId] },
  });
  await leave();
});

test('a client that resumes receives the reply and the whole root', async () => {
  const { roomId, line, say, leave } = await scene();
  const root = await say('root');
  const reply = await say('reply', { thread_id: root.id });
  await line.waitFor('thread');
  const late = await LineClient.open(server, bo);
  late.send({ type: 'start', epoch: line.of('hello')[0]?.epoch ?? '' });
  await late.enter(roomId, 1);
  expect(late.events(roomId)).toMatchObject([
    { id: reply.id, seq: 2, thread_id: root.id },
    { id: root.id, seq: 1, changed_seq: 3, content: 'root', thread: { replies: 1 } },
  ]);
  expect(late.of('thread')).toEqual([]);
  await Promise.all([late.close(), leave()]);
});

test('chatroom.v1 gets a reply as a plain message, and nothing for its root', async () => {
  const { roomId, say, leave } = await scene();
  const base = await ChatClient.enter(server, bo, roomId);
  const root = await say('root');
  const reply = await say('reply', { thread_id: root.id });
  await say('end');
  await base.waitForCount('message', 3);
  expect(base.of('message').map(({ seq }) => seq)).toEqual([1, 2, 4]);
  expect(base.of('message')[1]).toEqual({
    ...{ type: 'message', id: reply.id, room_id: roomId, user_id: ann.userId, username: ann.username },
    ...{ content: 'reply', created_at: reply.created_at, seq: 2 },
  });
  await Promise.all([base.close(), leave()]);
});

test('a reply needs a cid, and a root that is in the room and no reply itself', async () => {
  const { roomId, line, say, leave } = await scene();
  const root = await say('root');
  const reply = await say('reply', { thread_id: root.id });
  line.send({ type: 'message', room_id: roomId, content: 'x', thread_id: root.id });
  expect(await line.waitFor('error')).toMatchObject({ code: 'invalid_frame', room_id: roomId });
  for (const [cid, threadId] of [
    ['a', reply.id],
    ['b', 999_999_999],
  ] as const) {
    line.send({ type: 'message', room_id: roomId, content: 'x', cid, thread_id: threadId });
    const error = await line.waitFor('error', (frame) => frame.cid === cid);
    expect(error).toMatchObject({ code: 'message_not_found', retryable: false });
  }
  await leave();
});

test('deleting a reply and naming or resolving a thread are live changes of the root', async () => {
  const { roomId, other, say, leave } = await scene();
  const root = await say('root');
  const reply = await say('reply', { thread_id: root.id });
  const path = `/rooms/${roomId}/threads/${root.id}`;
  const patched = await ask(bo, path, json('PATCH', { title: 'Plans', resolved: true }));
  expect(patched).toMatchObject({ status: 200, json: { changed_seq: 4, thread: { title: 'Plans' } } });
  await ask(ann, `/rooms/${roomId}/messages/${reply.id}`, { method: 'DELETE' });
  const last = await other.waitFor('thread', ({ changed_seq }) => changed_seq === 6);
  expect(last.thread).toMatchObject({ replies: 0, title: 'Plans', resolved: true, last_seq: 1, people: [] });
  expect(other.events(roomId).at(-1)).toMatchObject({ id: reply.id, changed_seq: 5, content: '' });
  await leave();
});

test('a page of the flow has what its messages quote and what it does not hold, as it is now', async () => {
  const { roomId, say, leave } = await scene();
  const [kept, gone] = [await say('kept'), await say('gone')];
  const page = async (query: string) =>
    expectReply(await ask(bo, `/rooms/${roomId}/messages?view=flow&${query}`), 200, flowResponse);
  await say('quotes one', { reply_to: kept.id });
  await say('quotes the other', { reply_to: gone.id });
  await ask(ann, `/rooms/${roomId}/messages/${gone.id}`, { method: 'DELETE' });
  const body = json('PUT', { content: 'edited', base_revision: 0 });
  await ask(ann, `/rooms/${roomId}/messages/${kept.id}`, body);
  expect((await page('limit=2')).quoted).toMatchObject([
    { id: kept.id, content: 'edited' },
    { id: gone.id, content: '', deleted_at: expect.any(String) },
  ]);
  expect(await page('limit=4')).not.toHaveProperty('quoted');
  await leave();
});

test('the threads of a room, the replies of one, and a jump to a reply', async () => {
  const { roomId, say, leave } = await scene();
  const root = await say('root');
  const replies = [await say('one', { thread_id: root.id }), await say('two', { thread_id: root.id })];
  const list = expectReply(await ask(bo, `/rooms/${roomId}/threads`), 200, threadsResponse);
  expect(list).toMatchObject({ threads: [{ id: root.id, thread: { replies: 2 } }], next_before_seq: null });
  const path = `/rooms/${roomId}/threads/${root.id}/messages`;
  const whole = expectReply(await ask(bo, path), 200, threadMessagesResponse);
  expect(whole).toMatchObject({ root: { id: root.id }, has_more: false, has_more_after: false, seq: 5 });
  expect(whole.messages.map(({ id }) => id)).toEqual(replies.map(({ id }) => id));
  expect(whole.me).toEqual({ following: false, read_seq: 0 });
  const newer = expectReply(await ask(bo, `${path}?after_id=${replies[0]?.id}`), 200, threadMessagesResponse);
  expect([newer.messages.length, newer.has_more, newer.has_more_after]).toEqual([1, true, false]);
  const around = await ask(bo, `/rooms/${roomId}/messages?view=flow&around_id=${replies[1]?.id}`);
  const page = expectReply(around, 200, flowResponse);
  expect(page.messages.map(({ id }) => id)).toEqual([root.id]);
  expect(page.target).toEqual({ id: replies[1]?.id, thread_id: root.id });
  await leave();
});

test('following a thread counts its new replies until they are read', async () => {
  const { roomId, say, leave } = await scene();
  const root = await say('root');
  await say('before', { thread_id: root.id });
  const path = `/rooms/${roomId}/threads/${root.id}`;
  expect(await ask(bo, `${path}/follow`, { method: 'PUT' })).toMatchObject({ status: 204 });
  const after = await say('after', { thread_id: root.id });
  const mine = async () => {
    const { threads } = expectReply(await ask(bo, '/me/threads'), 200, followedThreadsResponse);
    return threads.filter((thread) => thread.root.id === root.id).map(({ unread }) => unread);
  };
  expect(await mine()).toEqual([1]);
  expect(await ask(bo, `${path}/read`, json('PUT', { seq: after.seq }))).toMatchObject({ status: 204 });
  expect(await mine()).toEqual([0]);
  await ask(bo, `${path}/follow`, { method: 'DELETE' });
  expect(await mine()).toEqual([]);
  await leave();
});

test('a mention in a thread is unread, on the list and in the inbox, until the thread is read', async () => {
  const { roomId, say, leave } = await scene();
  const root = await say('root');
  await ask(bo, `/rooms/${roomId}/members/me`, { method: 'PUT' });
  const phone = await LineClient.start(server, bo);
  const { id, seq } = await say(`@${bo.username}`, { thread_id: root.id });
  const entry = await phone.waitFor('inbox', ({ message_id }) => message_id === id);
  expect(entry).toMatchObject({ thread_id: root.id, seq });
  phone.send({ type: 'read', room_id: roomId, seq: seq + 1, known: 0 });
  await phone.waitFor('me', ({ me }) => me.read_seq === seq + 1);
  const unread = async () => {
    const { rooms } = expectReply(await ask(bo, '/me/rooms'), 200, myRoomsResponse);
    const { entries } = expectReply(await ask(bo, '/me/inbox'), 200, inboxResponse);
    const listed = rooms.find(({ room }) => room.id === roomId);
    const inInbox = entries.find(({ message }) => message.id === id);
    return [listed?.mentions, listed?.thread_mentions ?? null, inInbox?.read];
  };
  expect(await unread()).toEqual([0, [[root.id, seq]], false]);
  const read = `/rooms/${roomId}/threads/${root.id}/read`;
  expect(await ask(bo, read, json('PUT', { seq }))).toMatchObject({ status: 204 });
  await phone.waitFor('thread_follow', ({ read_seq }) => read_seq === seq);
  expect(await unread()).toEqual([0, null, true]);
  await Promise.all([phone.close(), leave()]);
});

test('replies count in no room: not as unread, not in its head, not as its last text', async () => {
  const { roomId, say, line, leave } = await scene();
  const root = await say('root');
  await ask(bo, `/rooms/${roomId}/members/me`, { method: 'PUT' });
  const brief = await LineClient.start(server, bo);
  // A client that shows a room gets the heads of the others sooner.
  await brief.look((await createRoom(server, bo)).id);
  const from = brief.mark();
  await say('reply', { thread_id: root.id });
  await line.waitFor('thread');
  const head = await brief.waitFor('head', ({ seq }) => seq >= 3, from);
  expect(head.number).toBe(1);
  expect(head.texts?.map(([seq]) => seq)).not.toContain(2);
  expect(head.last?.excerpt ?? 'root').toBe('root');
  brief.send({ type: 'unread', room_ids: [roomId] });
  const counted = await brief.waitFor('rooms', () => true, from);
  expect(counted.rooms).toMatchObject([{ number: 1, unread: 0, last: { excerpt: 'root' } }]);
  await Promise.all([brief.close(), leave()]);
});
