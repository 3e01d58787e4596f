import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

async function conversation(login: Login, other: Login): Promise<number> {
  const body = { user_ids: [other.userId] };
  const { json } = await post(server, '/api/v1/dms', body, { token: login.accessToken });
  return (json as { id: number }).id;
}

describe('direct conversations over a line', () => {
  test('their heads come at once, also while no room is in sight; those of other rooms wait', async () => {
    const [dmId, roomId] = [await conversation(ann, bo), (await createRoom(server, ann)).id];
    const [line, talk] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    await talk.post(roomId, 'to everybody');
    await talk.post(dmId, 'to ann');
    const head = await line.waitFor('head');
    expect(head).toMatchObject({ room_id: dmId, from: 0, seq: 1, texts: [[1, bo.userId]] });
    expect(head.last?.excerpt).toBe('to ann');
    await Promise.all([line.close(), talk.close()]);
  });

  test('opened names the others; a new one is on the list of both', async () => {
    const [cy, di] = await Promise.all([signUp(server), signUp(server)]);
    const line = await LineClient.start(server, di);
    const dmId = await conversation(cy, di);
    const other = await LineClient.start(server, cy);
    await other.post(dmId, 'hello');
    const isPerson = { user_id: cy.userId, username: cy.username };
    expect((await line.waitFor('room')).room).toMatchObject({ id: dmId, kind: 'dm', people: [isPerson] });
    const { room } = await line.enter(dmId);
    expect(room).toMatchObject({ kind: 'dm', people: [isPerson] });
    await Promise.all([line.close(), other.close()]);
  });

  test('of an empty one, the others get no frame', async () => {
    const [cy, di] = await Promise.all([signUp(server), signUp(server)]);
    const line = await LineClient.start(server, di);
    const dmId = await conversation(cy, di);
    const other = await LineClient.start(server, cy);
    await other.post(dmId, 'hello');
    await line.waitFor('room');
    expect(line.of('gone')).toEqual([]);
    expect(line.of('room').map(({ room }) => room.id)).toEqual([dmId]);
    await Promise.all([line.close(), other.close()]);
  });

  test('there is no ticket of chatroom.v1 for one: 404, as for a room that is not there', async () => {
    const dmId = await conversation(ann, bo);
    for (const roomId of [dmId, 999_999]) {
      const body = { room_id: roomId };
      const reply = await post(server, '/api/v1/ws/tickets', body, { token: ann.accessToken });
      expectRefusal(reply, 404, 'room not found');
    }
  });

  test('a blocked person types for nobody there, and for those who share a group with the blocker', async () => {
    const [cy, di, eve] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
    const dmId = await conversation(cy, di);
    const body = { user_ids: [di.userId, eve.userId] };
    const { json } = await post(server, '/api/v1/dms', body, { token: cy.accessToken });
    const groupId = (json as { id: number }).id;
    const typist = await LineClient.start(server, cy);
    const [other, inGroup] = [await LineClient.start(server, di), await LineClient.start(server, di)];
    for (const [roomId, line] of [
      [dmId, other],
      [groupId, inGroup],
    ] as const) {
      await typist.post(roomId, 'hello');
      await typist.enter(roomId);
      await line.look(roomId);
    }
    const type = (isTyping: boolean, roomId = dmId) =>
      typist.send({ type: 'typing', room_id: roomId, is_typing: isTyping });
    const block = (method: string) =>
      send(server, `/api/v1/me/blocks/${cy.userId}`, { method, token: di.accessToken });
    type(true);
    await other.waitFor('typing', ({ is_typing }) => is_typing);
    await block('PUT');
    // What was shown before the block ends with the next frame of the blocked person, or by itself.
    type(true);
    await other.waitFor('typing', ({ is_typing }) => !is_typing);
    const blocked = other.mark();
    type(true);
    type(true, groupId);
    await inGroup.waitFor('typing', ({ room_id }) => room_id === groupId);
    await other.settle();
    expect(other.of('typing', blocked)).toEqual([]);
    expect(typist.of('error')).toEqual([]);
    await block('DELETE');
    type(true);
    await other.waitFor('typing', ({ is_typing }) => is_typing, blocked);
    type(true);
    // A stop wins over what is still being read.
    type(false);
    await typist.settle();
    await other.waitFor('typing', ({ is_typing }) => !is_typing, blocked);
    await Promise.all([typist, other, inGroup].map((line) => line.close()));
  });

  test('a stranger can neither open one nor post to it', async () => {
    const dmId = await conversation(ann, bo);
    const line = await LineClient.start(server, await signUp(server));
    line.send({ type: 'open', room_id: dmId });
    expect(await line.waitFor('error')).toMatchObject({ code: 'room_not_found', room_id: dmId });
    line.send({ type: 'message', room_id: dmId, content: 'hi', cid: 'c' });
    expect(await line.waitFor('error', ({ cid }) => cid === 'c')).toMatchObject({ code: 'room_not_found' });
    await line.close();
  });
});
