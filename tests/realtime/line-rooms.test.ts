import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

async function speak(line: LineClient, roomId: number, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) {
    line.send({ type: 'message', room_id: roomId, content: `message ${index}`, cid: `${roomId}-${index}` });
  }
  if (count > 0) await line.waitFor('ack', (ack) => ack.cid === `${roomId}-${count}`);
}

describe('open: a room comes whole', () => {
  test('opened, then live messages with their cid', async () => {
    const roomId = await newRoom();
    const [line, other] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
    const opened = await line.enter(roomId);
    expect(opened).toMatchObject({ seq: 0, online: 0, users: [], resumed: false });
    expect(opened.room).toMatchObject({ id: roomId, kind: 'public', me_role: 'owner' });
    await other.enter(roomId);
    const ack = await other.post(roomId, 'hello', 'c-1');
    const heard = await line.waitFor('message');
    expect(heard).toMatchObject({ room_id: roomId, seq: 1, id: ack.id, content: 'hello', cid: 'c-1' });
    expect(other.events(roomId)).toEqual([heard]);
    await Promise.all([line.close(), other.close()]);
  });

  test.each([1, 200, 201, 700])('resumes %i behind: nothing missed, nothing twice', async (behind) => {
    const roomId = await newRoom();
    const talk = await LineClient.start(server, ann);
    await speak(talk, roomId, behind + 3);
    const { epoch } = talk.hello;
    const line = await LineClient.start(server, bo, { start: { epoch } });
    expect((await line.enter(roomId, 3)).resumed).toBe(true);
    await talk.post(roomId, 'live');
    await line.waitFor('message');
    expect(line.of('sync')).toEqual([{ type: 'sync', room_id: roomId, seq: behind + 3 }]);
    expect(line.events(roomId)).toEqual((await readHistory(server, bo, roomId)).slice(3));
    await Promise.all([line.close(), talk.close()]);
  });

  test('a since without the epoch of start resets; since 0 never does', async () => {
    const roomId = await newRoom();
    const talk = await LineClient.start(server, ann);
    await speak(talk, roomId, 2);
    const line = await LineClient.start(server, bo);
    expect((await line.enter(roomId, 1)).resumed).toBe(false);
    expect(line.of('reset')).toEqual([{ type: 'reset', room_id: roomId, seq: 2 }]);
    expect((await line.enter(roomId, 0)).resumed).toBe(true);
    expect(line.events(roomId).map(({ seq }) => seq)).toEqual([1, 2]);
    await Promise.all([line.close(), talk.close()]);
  });

  test('many rooms at once: each is contiguous, and one resumes at a time', async () => {
    const roomIds = await Promise.all(Array.from({ length: 10 }, newRoom));
    const talk = await LineClient.start(server, ann);
    for (const roomId of roomIds) await speak(talk, roomId, 250);
    const line = await LineClient.start(server, bo, { start: { epoch: talk.hello.epoch } });
    for (const roomId of roomIds) line.send({ type: 'open', room_id: roomId, since: 10 });
    for (let index = 251; index <= 270; index++) {
      for (const roomId of roomIds) talk.send({ type: 'message', room_id: roomId, content: `${index}` });
    }
    const isDone = (roomId: number) => line.events(roomId).at(-1)?.seq === 270;
    await line.until('all messages', () => (roomIds.every(isDone) ? true : undefined));
    for (const roomId of roomIds) {
      const seqs = line.events(roomId).map(({ seq }) => seq);
      expect(seqs).toEqual(Array.from({ length: 260 }, (_, index) => index + 11));
    }
    const order = line.frames.flatMap((frame) =>
      frame.type === 'opened' || frame.type === 'sync' ? [`${frame.type} ${frame.room_id}`] : [],
    );
    expect(order).toEqual(roomIds.flatMap((roomId) => [`opened ${roomId}`, `sync ${roomId}`]));
    await Promise.all([line.close(), talk.close()]);
  });

  test('close makes it brief: no more messages', async () => {
    const roomId = await newRoom();
    const [line, talk] = [await LineClient.start(server, bo), await LineClient.start(server, ann)];
    await line.enter(roomId);
    await talk.post(roomId, 'one');
    await line.waitFor('message');
    line.send({ type: 'close', room_id: roomId });
    await line.settle();
    await talk.post(roomId, 'two');
    await line.settle();
    expect(line.events(roomId)).toHaveLength(1);
    await Promise.all([line.close(), talk.close()]);
  });

  test('a room that does not exist: error room_not_found with its number; the others go on', async () => {
    const roomId = await newRoom();
    const line = await LineClient.start(server, bo);
    line.send({ type: 'open', room_id: 999_999 });
    expect(await line.waitFor('error')).toMatchObject({ code: 'room_not_found', room_id: 999_999 });
    await line.enter(roomId);
    await line.close();
  });

  test('at most 50 are open', async () => {
    const roomIds = await Promise.all(Array.from({ length: 51 }, newRoom));
    const line = await LineClient.start(server, bo);
    for (const roomId of roomIds.slice(0, 50)) line.send({ type: 'open', room_id: roomId });
    await line.waitForCount('opened', 50);
    await new Promise((resolve) => setTimeout(resolve, 200));
    line.send({ type: 'open', room_id: roomIds[50] as number });
    expect(await line.waitFor('error')).toMatchObject({ code: 'invalid_frame', room_id: roomIds[50] });
    await line.close();
  });

  test('beyond 50 at once and 30 a second: error too_fast', async () => {
    const roomId = await newRoom();
    const line = await LineClient.start(server, bo);
    for (let index = 0; index < 60; index++) line.send({ type: 'open', room_id: roomId });
    const refused = await line.waitFor('error');
    expect(refused).toMatchObject({ code: 'too_fast', room_id: roomId, retryable: true });
    await line.close();
  });
});

describe('posting over the line', () => {
  test('to a room that is not open; a repeated cid is a duplicate', async () => {
    const roomId = await newRoom();
    const line = await LineClient.start(server, ann);
    const first = await line.post(roomId, 'hi', 'c');
    const again = await line.post(roomId, 'hi', 'c');
    expect(again).toEqual({ ...first, duplicate: true });
    expect(first).toMatchObject({ room_id: roomId, seq: 1 });
    line.send({ type: 'message', room_id: roomId, content: 'other', cid: 'c' });
    expect(await line.waitFor('error')).toMatchObject({ room_id: roomId, cid: 'c', code: 'cid_conflict' });
    await line.close();
  });

  test('makes the author a member of a public room, and a room frame says so', async () => {
    const roomId = await newRoom();
    const cy = await signUp(server);
    const line = await LineClient.start(server, cy);
    expect(line.knowsRoom(roomId)).toBe(false);
    await line.post(roomId, 'hi');
    const told = await line.waitFor('room', ({ room }) => room.id === roomId);
    expect(told.me).toMatchObject({ role: 'member' });
    expect(told.user_seq).toBeGreaterThan(line.hello.user_seq);
    await line.close();
  });

  test('over v1, too', async () => {
    const roomId = await newRoom();
    const cy = await signUp(server);
    const line = await LineClient.start(server, cy);
    const v1 = await ChatClient.enter(server, cy, roomId);
    v1.say('hi');
    await line.waitFor('room', ({ room }) => room.id === roomId);
    await Promise.all([line.close(), v1.close()]);
  });

  test('looking around does not', async () => {
    const roomId = await newRoom();
    const cy = await signUp(server);
    const line = await LineClient.start(server, cy);
    await line.look(roomId);
    await line.settle();
    expect(line.of('room')).toEqual([]);
    await line.close();
  });
});
