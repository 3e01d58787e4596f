/** Users whom a moderator has silenced in a room. No request silences yet, so the tests write to the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabaseOf } from '../support/database.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const HOUR_MS = 3_600_000;

let server: ServerProcess;
let ann: Login;
let bo: Login;
let cy: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo, cy] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** A room with all three in it. */
async function newRoom(): Promise<number> {
  const { id } = await createRoom(server, ann);
  for (const { userId } of [bo, cy]) await addMember(server, ann, id, userId);
  return id;
}

async function silence(roomId: number, { userId }: Login, until: number): Promise<void> {
  const update = 'UPDATE members SET silenced_until = ? WHERE room_id = ? AND user_id = ?';
  await inDatabaseOf(server, update, until, roomId, userId);
}

/** The ids of the users in the typing frames that this socket has received. */
function typists(socket: ChatClient): number[] {
  return socket.of('typing').map((frame) => frame.user_id);
}

describe('typing of a silenced user', () => {
  test('is not shown, over either protocol, and raises no error; that of others is', async () => {
    const roomId = await newRoom();
    await silence(roomId, bo, Date.now() + HOUR_MS);
    const listener = await ChatClient.enter(server, ann, roomId);
    const v1 = await ChatClient.enter(server, bo, roomId);
    const line = await RoomLine.enter(server, bo, roomId);
    const other = await RoomLine.enter(server, cy, roomId);
    v1.send({ type: 'typing', is_typing: true });
    await v1.settle();
    line.type(true);
    await line.settle();
    other.type(true);
    await listener.waitFor('typing', ({ user_id }) => user_id === cy.userId);
    expect(typists(listener)).not.toContain(bo.userId);
    expect([...v1.of('error'), ...line.of('error')]).toEqual([]);
    await Promise.all([listener, v1, line, other].map((socket) => socket.close()));
  });

  test('is shown again once the time is over', async () => {
    const roomId = await newRoom();
    await silence(roomId, bo, Date.now() - 1);
    const listener = await ChatClient.enter(server, ann, roomId);
    const line = await RoomLine.enter(server, bo, roomId);
    line.type(true);
    await listener.waitFor('typing', ({ user_id }) => user_id === bo.userId);
    await Promise.all([listener.close(), line.close()]);
  });

  test('ends on an open line with the change in the log of the user', async () => {
    const roomId = await newRoom();
    const listener = await ChatClient.enter(server, ann, roomId);
    const line = await LineClient.start(server, bo);
    await line.look(roomId);
    const other = await RoomLine.enter(server, cy, roomId);
    await silence(roomId, bo, Date.now() + HOUR_MS);
    // It stands in the log with the next change of the membership.
    const path = `/api/v1/rooms/${roomId}/prefs`;
    await send(server, path, { method: 'PUT', json: { starred: true }, token: bo.accessToken });
    await line.waitFor('me', ({ room_id }) => room_id === roomId);
    line.send({ type: 'typing', room_id: roomId, is_typing: true });
    await line.settle();
    other.type(true);
    await listener.waitFor('typing', ({ user_id }) => user_id === cy.userId);
    expect(typists(listener)).not.toContain(bo.userId);
    await Promise.all([listener, line, other].map((socket) => socket.close()));
  });
});
