import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

async function request(login: Login, method: string, path: string, json?: unknown): Promise<void> {
  const options = { method, token: login.accessToken, ...(json === undefined ? {} : { json }) };
  const { status } = await send(server, `/api/v1${path}`, options);
  expect([200, 204]).toContain(status);
}

describe('read marks', () => {
  test('are confirmed by me, on every line of the user, and are kept', async () => {
    const roomId = await newRoom();
    const talk = await LineClient.start(server, bo);
    for (let index = 1; index <= 3; index++) await talk.post(roomId, `message ${index}`);
    const [line, phone] = [await LineClient.start(server, ann), await LineClient.start(server, ann)];
    line.send({ type: 'read', room_id: roomId, seq: 1, known: 0 });
    line.send({ type: 'read', room_id: roomId, seq: 2, known: 0 });
    for (const each of [line, phone]) {
      const { me, user_seq } = await each.waitFor('me', ({ room_id }) => room_id === roomId);
      expect(me).toMatchObject({ read_seq: 2, read_set: 0 });
      expect(user_seq).toBeGreaterThan(each.hello.user_seq);
    }
    const later = await LineClient.start(server, ann);
    expect(later.rooms.find(({ room }) => room.id === roomId)).toMatchObject({
      unread: 1,
      me: { read_seq: 2 },
    });
    await Promise.all([line, phone, later, talk].map((each) => each.close()));
  });

  test('that start repeats are written', async () => {
    const roomId = await newRoom();
    const talk = await LineClient.start(server, bo);
    await talk.post(roomId, 'one');
    const line = await LineClient.start(server, ann, {
      start: { read: [{ room_id: roomId, seq: 1, known: 0 }] },
    });
    const { me } = await line.waitFor('me', ({ room_id }) => room_id === roomId);
    expect(me.read_seq).toBe(1);
    await Promise.all([line.close(), talk.close()]);
  });

  test('of another database, that start repeats, are ignored', async () => {
    const [roomId, otherId] = [await newRoom(), await newRoom()];
    const talk = await LineClient.start(server, bo);
    for (const id of [roomId, otherId]) await talk.post(id, 'one');
    const line = await LineClient.start(server, ann, {
      start: { epoch: 'another', read: [{ room_id: roomId, seq: 1, known: 0 }] },
    });
    line.send({ type: 'read', room_id: otherId, seq: 1, known: 0 });
    await line.waitFor('me', ({ room_id }) => room_id === otherId);
    expect(line.of('me').map(({ room_id }) => room_id)).toEqual([otherId]);
    await Promise.all([line.close(), talk.close()]);
  });

  test('that were lowered are not raised by a device that does not know of it', async () => {
    const roomId = await newRoom();
    const talk = await LineClient.start(server, bo);
    for (let index = 1; index <= 3; index++) await talk.post(roomId, `message ${index}`);
    const line = await LineClient.start(server, ann);
    line.send({ type: 'read', room_id: roomId, seq: 3, known: 0 });
    await line.waitFor('me', ({ me }) => me.read_seq === 3);
    line.send({ type: 'read', room_id: roomId, seq: 1, known: 0, unread: true });
    const { me } = await line.waitFor('me', (frame) => frame.me.read_seq === 1);
    expect(me.read_set).toBeGreaterThan(0);
    line.send({ type: 'read', room_id: roomId, seq: 3, known: 0 });
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(line.of('me').at(-1)?.me.read_seq).toBe(1);
    line.send({ type: 'read', room_id: roomId, seq: 3, known: me.read_set });
    await line.waitFor('me', (frame) => frame.me.read_seq === 3, line.mark());
    await Promise.all([line.close(), talk.close()]);
  });

  test('are written when the server stops', async () => {
    const stopping = await ServerProcess.start();
    const cy = await signUp(stopping);
    const { id } = await createRoom(stopping, cy);
    const line = await LineClient.start(stopping, cy);
    await line.post(id, 'one');
    line.send({ type: 'read', room_id: id, seq: 1, known: 0 });
    await line.settle();
    await stopping.stop();
    await stopping.restart();
    const again = await LineClient.start(stopping, cy);
    expect(again.rooms.find(({ room }) => room.id === id)?.me.read_seq).toBe(1);
    await again.close();
    await stopping.dispose();
  });

  test('a mark above the head is ignored, and takes no other mark with it', async () => {
    const line = await LineClient.start(server, ann);
    const id = (await createRoom(server, ann)).id;
    await line.waitFor('room', ({ room }) => room.id === id);
    await line.post(id, 'one');
    await line.post(id, 'two');
    const above = { type: 'read', room_id: id, seq: Number.MAX_SAFE_INTEGER, known: 0 } as const;
    line.send(above);
    line.send({ type: 'read', room_id: id, seq: 1, known: 0 });
    line.send(above);
    const { me } = await line.waitFor('me', ({ room_id }) => room_id === id);
    expect(me.read_seq).toBe(1);
    await line.close();
  });
});

describe('room, gone and me', () => {
  test('a room that is joined and left elsewhere: room, then gone; numbers ascend', async () => {
    const roomId = await newRoom();
    const line = await LineClient.start(server, bo);
    await request(bo, 'PUT', `/rooms/${roomId}/members/me`);
    const told = await line.waitFor('room', ({ room }) => room.id === roomId);
    await request(bo, 'DELETE', `/rooms/${roomId}/members/me`);
    const gone = await line.waitFor('gone', ({ room_id }) => room_id === roomId);
    expect(gone.reason).toBe('left');
    expect(gone.user_seq).toBeGreaterThan(told.user_seq);
    await line.close();
  });

  test('changes while away come after rooms, from the number in start', async () => {
    const [kept, left] = [await newRoom(), await newRoom()];
    for (const roomId of [kept, left]) await request(bo, 'PUT', `/rooms/${roomId}/members/me`);
    const first = await LineClient.start(server, bo);
    const { epoch, user_seq } = first.hello;
    const rooms = Object.fromEntries(first.rooms.map(({ room, seq }) => [String(room.id), seq]));
    await first.close();
    await request(bo, 'DELETE', `/rooms/${left}/members/me`);
    await request(bo, 'PUT', `/rooms/${kept}/prefs`, { starred: true });
    const line = await LineClient.start(server, bo, { start: { epoch, user_seq, rooms } });
    const me = await line.waitFor('me');
    expect(me).toMatchObject({ room_id: kept, me: { starred: true } });
    expect(line.of('gone')).toMatchObject([{ room_id: left, reason: 'left' }]);
    expect(line.of('rooms')).toEqual([{ type: 'rooms', rooms: [], complete: false }]);
    expect(me.user_seq).toBe(line.hello.user_seq);
    await line.close();
  });

  test.skipIf(whyNotEmbedded() !== undefined)(
    'a start from before what was purged gets the whole list, and a later one does not',
    async () => {
      const older = await ServerProcess.start();
      const cy = await signUp(older);
      const { id } = await createRoom(older, cy);
      const line = await LineClient.start(older, cy);
      const { id: messageId } = await line.post(id, 'one');
      const { epoch } = line.hello;
      const bookmark = `/api/v1/rooms/${id}/messages/${messageId}/saved`;
      const set = (method: string) => send(older, bookmark, { method, token: cy.accessToken, json: {} });
      expect((await set('PUT')).status).toBe(204);
      const { user_seq: before } = await line.waitFor('saved', ({ removed }) => !removed);
      expect((await set('DELETE')).status).toBe(204);
      const { user_seq: after } = await line.waitFor('saved', ({ removed }) => removed === true);
      await older.stop();
      const onFatal = (error: Error) => {
        throw error;
      };
      const { store } = await openSqliteStore({ dataDir: join(older.dataDir, 'data'), onFatal });
      await store.purge({ now: Date.now() + 31 * 24 * 3_600_000 });
      await store.close();
      await older.restart();
      const back = await logIn(older, cy.username);
      const isComplete = async (user_seq: number) => {
        const again = await LineClient.start(older, back, { start: { epoch, user_seq, rooms: {} } });
        const [first] = again.of('rooms');
        expect(again.of('saved')).toEqual([]);
        await again.close();
        return first?.complete;
      };
      expect([await isComplete(before), await isComplete(after)]).toEqual([true, false]);
      await older.dispose();
    },
  );

  test('lines that do not have the room open get its change in a head', async () => {
    const [roomId, shownId] = [await newRoom(), await newRoom()];
    const line = await LineClient.start(server, ann);
    await line.look(shownId);
    await request(ann, 'PATCH', `/rooms/${roomId}`, { topic: 'all about it' });
    const head = await line.waitFor('head', ({ room }) => room !== undefined);
    expect(head).toMatchObject({ room_id: roomId, number: 0, room: { topic: 'all about it', members: 1 } });
    await line.close();
  });
});
