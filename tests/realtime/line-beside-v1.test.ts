/** Both protocols side by side in one room: each socket sees its own protocol's frames and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** Ann and Bo, each with a socket of each protocol, in a fresh room. */
async function scene() {
  const roomId = (await createRoom(server, ann)).id;
  const annBase = await ChatClient.enter(server, ann, roomId);
  const annFull = await RoomLine.enter(server, ann, roomId);
  const boBase = await ChatClient.enter(server, bo, roomId);
  const boFull = await RoomLine.enter(server, bo, roomId);
  const all = [annBase, annFull, boBase, boFull];
  return {
    roomId,
    annBase,
    annFull,
    boBase,
    boFull,
    leave: () => Promise.all(all.map((one) => one.close())),
  };
}

test('messages: all in one order; v1 sees no cid, no ack, no hello', async () => {
  const { roomId, annBase, annFull, boBase, boFull, leave } = await scene();
  for (let count = 0; count < 50; count++) {
    annBase.say(`base ${count}`);
    boFull.say(`full ${count}`, `c-${count}`);
  }
  const history = await annBase.waitForCount('message', 100).then(() => readHistory(server, ann, roomId));
  await Promise.all([annFull, boFull].map((client) => client.waitForCount('message', 100)));
  await Promise.all([boFull.waitForCount('ack', 50), boBase.waitForCount('message', 100)]);
  const withoutCid = history.map(({ cid: _, ...message }) => message);
  expect(annFull.events).toEqual(history);
  expect(boFull.events).toEqual(history);
  expect(annBase.of('message')).toEqual(withoutCid);
  expect(boBase.of('message')).toEqual(withoutCid);
  expect(new Set(annBase.frames.map((frame) => frame.type))).toEqual(new Set(['join', 'message']));
  const ofV1 = new Set(['join', 'leave']);
  expect(annFull.frames.filter(({ type }) => ofV1.has(type))).toEqual([]);
  await leave();
});

test('v1 has no cid: a v1 socket that repeats one stores each message', async () => {
  const { roomId, annBase, annFull, leave } = await scene();
  for (let count = 0; count < 2; count++)
    annBase.sendRaw(JSON.stringify({ type: 'message', content: 'x', cid: 'c-1' }));
  await annFull.waitForCount('message', 2);
  expect((await readHistory(server, ann, roomId)).map((message) => message.cid)).toEqual([
    undefined,
    undefined,
  ]);
  await leave();
});

test('who comes and goes: join and leave over v1, presence over a line', async () => {
  const { roomId, annBase, annFull, boBase, boFull, leave } = await scene();
  const join = (login: Login, online: number) => ({
    type: 'join',
    room_id: roomId,
    user_id: login.userId,
    username: login.username,
    online,
  });
  const isBo = { user_id: bo.userId, username: bo.username };
  const changes = (line: RoomLine) => line.of('presence').filter(({ users }) => users === undefined);
  await Promise.all([annFull.settle(), annBase.settle(), boBase.settle(), boFull.settle()]);
  expect(annBase.of('join')).toEqual([join(ann, 1), join(bo, 2)]);
  const came = { type: 'presence', room_id: roomId, online: 2, joined: [isBo], left: [] };
  expect(changes(annFull)).toEqual([came]);
  expect(boBase.of('join')).toEqual([join(bo, 2)]);
  expect(changes(boFull)).toEqual([]);
  expect(boFull.people).toHaveLength(2);
  await boBase.close();
  await boFull.close();
  const went = { ...came, online: 1, joined: [], left: [isBo] };
  expect(await annFull.waitFor('presence', ({ left }) => left.length > 0)).toEqual(went);
  expect(await annBase.waitFor('leave')).toEqual({ ...join(bo, 1), type: 'leave' });
  await leave();
});

test('typing: the same in both protocols, to other users alone; ended by time, a message, or leaving', async () => {
  const { roomId, annBase, annFull, boBase, boFull, leave } = await scene();
  const third = await RoomLine.enter(server, await logIn(server, bo.username), roomId);
  const typing = (is_typing: boolean) => ({
    type: 'typing',
    room_id: roomId,
    user_id: ann.userId,
    username: ann.username,
    is_typing,
  });
  annFull.type(true);
  await boFull.waitForCount('typing', 1);
  await boFull.waitForCount('typing', 2);
  annFull.type(true);
  annFull.type(true);
  annBase.send({ type: 'typing', is_typing: true });
  annFull.say('done', 'c-1');
  await boFull.waitForCount('typing', 4);
  annBase.send({ type: 'typing', is_typing: true });
  await boFull.waitForCount('typing', 5);
  await Promise.all([annBase.close(), annFull.close()]);
  await boFull.waitForCount('typing', 6);
  const changes = [true, false, true, false, true, false].map(typing);
  for (const client of [boFull, third]) {
    await client.waitForCount('typing', 6);
    expect(client.of('typing')).toEqual(changes);
  }
  await boBase.waitForCount('typing', 6);
  expect(boBase.of('typing')).toEqual(changes);
  expect(annBase.of('typing')).toEqual([]);
  expect(annFull.of('typing')).toEqual([]);
  await Promise.all([third.close(), leave()]);
});

test('errors: v1 gets the message text only', async () => {
  const { annBase, annFull, leave } = await scene();
  annBase.sendRaw('{"type":"message","content":""}');
  annFull.say('');
  const { content } = await annFull.waitFor('error');
  expect(await annBase.waitFor('error')).toEqual({ type: 'error', content });
  annBase.sendRaw('{"type":"ping","t":1}');
  expect(await annBase.waitFor('pong')).toEqual({ type: 'pong' });
  await leave();
});
