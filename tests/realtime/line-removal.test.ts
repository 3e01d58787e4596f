/** G14: a removed member gets nothing from after the removal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, signUp, signUpCrowd, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const REMOVALS = 50;

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const members = (roomId: number) => `/api/v1/rooms/${roomId}/members`;

async function privateRoom(): Promise<number> {
  const body = { name: uniqueName('room'), kind: 'private' };
  const { json } = await post(server, '/api/v1/rooms', body, { token: ann.accessToken });
  return (json as { id: number }).id;
}

async function add(roomId: number, login: Login): Promise<void> {
  const path = `${members(roomId)}/${login.userId}`;
  const reply = await send(server, path, { method: 'PUT', json: {}, token: ann.accessToken });
  expect(reply.status).toBe(200);
}

async function remove(roomId: number, login: Login): Promise<void> {
  const path = `${members(roomId)}/${login.userId}`;
  const reply = await send(server, path, { method: 'DELETE', token: ann.accessToken });
  expect(reply.status).toBe(204);
}

/** What a line received of a room after the notice of its removal, and after `gone`. */
function heardAfter(line: LineClient, roomId: number, userId: number) {
  const ofRoom = line.frames.filter((frame) => 'room_id' in frame && frame.room_id === roomId);
  const gone = ofRoom.findIndex((frame) => frame.type === 'gone');
  const notice = ofRoom.findIndex(
    (frame) =>
      frame.type === 'message' && frame.notice?.kind === 'removed' && frame.notice.member.user_id === userId,
  );
  return { notice, gone, after: ofRoom.slice(notice + 1).map(({ type }) => type) };
}

describe('a removal', () => {
  test(`${REMOVALS} members are removed amid traffic: the notice, then gone, and nothing after it`, async () => {
    const roomId = await privateRoom();
    const crowd = await signUpCrowd(server, REMOVALS);
    for (const login of crowd) await add(roomId, login);
    const talk = await LineClient.start(server, ann);
    await talk.enter(roomId);
    const lines = await Promise.all(crowd.map((login) => LineClient.start(server, login)));
    for (const line of lines) await line.look(roomId);
    let isOver = false;
    const traffic = (async () => {
      for (let index = 0; !isOver; index++) {
        talk.send({ type: 'message', room_id: roomId, content: `message ${index}` });
        talk.send({ type: 'typing', room_id: roomId, is_typing: index % 2 === 0 });
        await new Promise((resolve) => setTimeout(resolve, index % 3));
      }
    })();
    await Promise.all(crowd.map((login) => remove(roomId, login)));
    await Promise.all(lines.map((line) => line.waitFor('gone')));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    isOver = true;
    await traffic;
    await Promise.all(lines.map((line) => line.settle()));
    for (const [index, line] of lines.entries()) {
      const { notice, after } = heardAfter(line, roomId, crowd[index]?.userId ?? 0);
      expect(notice).toBeGreaterThanOrEqual(0);
      expect(after).toEqual(['gone']);
      expect(line.of('gone')[0]).toMatchObject({ room_id: roomId, reason: 'removed' });
    }
    await Promise.all([talk, ...lines].map((line) => line.close()));
  });

  test('takes a room that is brief off the list: no head after it', async () => {
    const roomId = await privateRoom();
    const [shownId, bo] = [(await createRoom(server, ann)).id, await signUp(server)];
    await add(roomId, bo);
    const [talk, line] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await line.look(shownId);
    await remove(roomId, bo);
    await line.waitFor('gone');
    const from = line.mark();
    await talk.post(roomId, 'secret');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(line.frames.slice(from)).toEqual([]);
    await Promise.all([talk.close(), line.close()]);
  });

  test('closes v1 sockets with 4204, after the messages before it', async () => {
    const roomId = await privateRoom();
    const bo = await signUp(server);
    await add(roomId, bo);
    const [talk, v1] = [await LineClient.start(server, ann), await ChatClient.enter(server, bo, roomId)];
    await talk.post(roomId, 'before');
    await remove(roomId, bo);
    expect((await v1.closed).code).toBe(4204);
    expect(v1.of('message').map(({ content }) => content)).toEqual(['before']);
    await talk.close();
  });

  test('ends a resume under way', async () => {
    const roomId = await privateRoom();
    const bo = await signUp(server);
    await add(roomId, bo);
    const talk = await LineClient.start(server, ann);
    for (let index = 0; index < 3000; index++) {
      talk.send({ type: 'message', room_id: roomId, content: 'x'.repeat(2000) });
    }
    await talk.post(roomId, 'last');
    const line = await LineClient.start(server, bo, { start: { epoch: talk.hello.epoch } });
    line.stopReading();
    line.send({ type: 'open', room_id: roomId, since: 0 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await remove(roomId, bo);
    await talk.post(roomId, 'secret');
    line.readOn();
    await line.waitFor('gone');
    await line.settle();
    expect(line.of('sync')).toEqual([]);
    expect(JSON.stringify(line.frames)).not.toContain('secret');
    await Promise.all([talk.close(), line.close()]);
  });

  test('a room that is made private is gone at that number for users who are not members', async () => {
    const roomId = (await createRoom(server, ann)).id;
    const [bo, cy] = await Promise.all([signUp(server), signUp(server)]);
    await send(server, `${members(roomId)}/me`, { method: 'PUT', token: cy.accessToken });
    const [talk, looker, member] = await Promise.all(
      [ann, bo, cy].map((login) => LineClient.start(server, login)),
    );
    if (!talk || !looker || !member) throw new Error('three lines');
    for (const line of [talk, looker, member]) await line.look(roomId);
    const strangerV1 = await ChatClient.enter(server, bo, roomId);
    const memberV1 = await ChatClient.enter(server, cy, roomId);
    await talk.post(roomId, 'before');
    const json = { kind: 'private' };
    await send(server, `/api/v1/rooms/${roomId}`, { method: 'PATCH', json, token: ann.accessToken });
    await looker.waitFor('gone', ({ room_id, reason }) => room_id === roomId && reason === 'made_private');
    await talk.post(roomId, 'after');
    expect((await strangerV1.closed).code).toBe(4204);
    await member.waitFor('message', ({ content }) => content === 'after');
    expect((await memberV1.closed).code).toBe(1001);
    await (await ChatClient.enter(server, cy, roomId)).close();
    await looker.settle();
    const heard = looker.events(roomId).map(({ content, notice }) => notice?.kind ?? content);
    expect(heard).toEqual(['before', 'made_private']);
    looker.send({ type: 'open', room_id: roomId });
    expect(await looker.waitFor('error')).toMatchObject({ code: 'room_not_found', room_id: roomId });
    await Promise.all([talk, looker, member].map((client) => client.close()));
  });

  test('a former member who left without a notice gets nothing of a room that is made private, over v1 neither', async () => {
    const roomId = (await createRoom(server, ann)).id;
    const bo = await signUp(server);
    const me = { token: bo.accessToken };
    await send(server, `${members(roomId)}/me`, { method: 'PUT', ...me });
    const v1 = await ChatClient.enter(server, bo, roomId);
    await send(server, `${members(roomId)}/me`, { method: 'DELETE', ...me });
    const json = { kind: 'private' };
    await send(server, `/api/v1/rooms/${roomId}`, { method: 'PATCH', json, token: ann.accessToken });
    const talk = await LineClient.start(server, ann);
    await talk.post(roomId, 'secret');
    expect((await v1.closed).code).toBe(4204);
    expect(v1.of('message')).toEqual([]);
    await talk.close();
  });

  test('out and in again: the room is gone before it is back', async () => {
    const roomId = await privateRoom();
    const bo = await signUp(server);
    await add(roomId, bo);
    const line = await LineClient.start(server, bo);
    await line.enter(roomId);
    await Promise.all([remove(roomId, bo), add(roomId, bo)]);
    await add(roomId, bo);
    await line.waitFor('room', ({ room }) => room.id === roomId);
    const kinds = line.frames.flatMap((frame) => (['gone', 'room'].includes(frame.type) ? [frame.type] : []));
    expect(kinds).toEqual(['gone', 'room']);
    await line.close();
  });

  test('a user who is removed while a room is opened again does not stay online there', async () => {
    const roomId = await privateRoom();
    const bo = await signUp(server);
    for (let round = 0; round < 10; round++) {
      await add(roomId, bo);
      const line = await LineClient.start(server, bo);
      await line.look(roomId);
      const removed = remove(roomId, bo);
      for (let index = 0; index < 25; index++) {
        line.send({ type: 'open', room_id: roomId });
        await new Promise((resolve) => setImmediate(resolve));
      }
      await removed;
      await line.waitFor('gone');
      await line.settle();
      await expect.poll(async () => (await findRoom(server, ann, roomId))?.online).toBe(0);
      await line.close();
    }
  });

  test('a private room does not exist for a stranger: open, and a start that names it', async () => {
    const roomId = await privateRoom();
    const bo = await signUp(server);
    const line = await LineClient.start(server, bo, { start: { rooms: { [roomId]: 0 } } });
    expect(line.rooms.some(({ room }) => room.id === roomId)).toBe(false);
    line.send({ type: 'open', room_id: roomId });
    line.send({ type: 'open', room_id: 999_999 });
    const [one, other] = await line.waitForCount('error', 2);
    expect({ ...one, room_id: 0 }).toEqual({ ...other, room_id: 0 });
    await line.close();
  });
});
