import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { LineClient } from '../support/line-client.ts';

import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

describe('hello and rooms', () => {
  test('hello comes first, without waiting for start', async () => {
    const line = await LineClient.open(server, ann);
    await line.waitFor('hello');
    expect(line.hello).toMatchObject({ protocol: 2, user_id: ann.userId, username: ann.username });
    expect(line.frames).toHaveLength(1);
    await line.close();
  });

  test('a start without anything: all rooms of the user, with their counts and latest texts', async () => {
    const cy = await signUp(server);
    const { id } = await createRoom(server, cy);
    const talk = await LineClient.start(server, bo);
    await talk.post(id, 'one');
    await talk.post(id, '**two**');
    const line = await LineClient.start(server, cy);
    expect(line.of('rooms')).toHaveLength(1);
    expect(line.of('rooms')[0]?.complete).toBe(true);
    const entry = line.rooms.find(({ room }) => room.id === id);
    expect(entry).toMatchObject({
      me: { role: 'owner', read_seq: 0 },
      ...{ seq: 2, number: 2, unread: 2 },
      last: { seq: 2, user_id: bo.userId, username: bo.username, excerpt: 'two' },
    });
    await Promise.all([line.close(), talk.close()]);
  });

  test('a start with the present state: no rooms, not complete', async () => {
    const cy = await signUp(server);
    const rooms = [await createRoom(server, cy), await createRoom(server, cy)];
    const first = await LineClient.start(server, cy);
    const { epoch, user_seq } = first.hello;
    const heads = Object.fromEntries(first.rooms.map(({ room, seq }) => [String(room.id), seq]));
    expect(Object.keys(heads)).toEqual(expect.arrayContaining(rooms.map(({ id }) => String(id))));
    await first.close();
    const again = await LineClient.start(server, cy, { start: { epoch, user_seq, rooms: heads } });
    expect(again.of('rooms')).toEqual([{ type: 'rooms', rooms: [], complete: false }]);
    await again.close();
  });

  test('a good start: the rooms that differ, and what changed in the user’s log', async () => {
    const cy = await signUp(server);
    const [quiet, busy] = [await createRoom(server, cy), await createRoom(server, cy)];
    const first = await LineClient.start(server, cy);
    const { epoch, user_seq } = first.hello;
    const heads = Object.fromEntries(first.rooms.map(({ room, seq }) => [String(room.id), seq]));
    await first.close();
    const talk = await LineClient.start(server, bo);
    await talk.post(busy.id, 'hello');
    const added = await createRoom(server, cy);
    const again = await LineClient.start(server, cy, { start: { epoch, user_seq, rooms: heads } });
    expect(again.rooms.map(({ room }) => room.id).sort()).toEqual([busy.id, added.id].sort());
    expect(again.rooms.every((entry) => entry.unread === undefined)).toBe(true);
    expect(again.of('rooms')[0]?.complete).toBe(false);
    expect(again.rooms.some(({ room }) => room.id === quiet.id)).toBe(false);
    await Promise.all([again.close(), talk.close()]);
  });

  test('another epoch, or a number ahead of the log: the whole list', async () => {
    const first = await LineClient.start(server, ann);
    const { epoch, user_seq } = first.hello;
    for (const start of [
      { epoch: 'another', user_seq },
      { epoch, user_seq: user_seq + 1 },
      { user_seq, rooms: {} },
    ]) {
      const line = await LineClient.start(server, ann, { start });
      expect(line.of('rooms')[0]?.complete).toBe(true);
      await line.close();
    }
    await first.close();
  });
});

test('a start after a new role, which has a number and no frame: the whole list', async () => {
  const cy = await signUp(server);
  const first = await LineClient.start(server, cy);
  const { epoch, user_seq } = first.hello;
  await first.close();
  expect((await runCommand(server, ['admin', 'grant', cy.username])).code).toBe(0);
  const again = await LineClient.start(server, cy, { start: { epoch, user_seq, rooms: {} } });
  expect(again.hello.user_seq).toBe(user_seq + 1);
  expect(again.of('rooms')[0]?.complete).toBe(true);
  await again.close();
  // What comes after the role has a frame, which brings its number.
  await createRoom(server, cy);
  const later = await LineClient.start(server, cy, { start: { epoch, user_seq, rooms: {} } });
  expect(later.of('rooms')[0]?.complete).toBe(false);
  await later.close();
});

describe('frames before start, and a second start', () => {
  test('are refused, and nothing is done', async () => {
    const { id } = await createRoom(server, ann);
    const line = await LineClient.open(server, ann);
    line.send({ type: 'message', room_id: id, content: 'too early', cid: 'c' });
    const refused = await line.waitFor('error');
    expect(refused).toMatchObject({ code: 'invalid_frame', room_id: id, cid: 'c' });
    line.send({ type: 'delete', room_id: id, id: 1, ref: 'r' });
    await line.waitForCount('error', 2);
    expect(line.of('error')[1]).toMatchObject({ code: 'invalid_frame', room_id: id, ref: 'r' });
    line.send({ type: 'start' });
    await line.waitFor('rooms');
    line.send({ type: 'start' });
    await line.waitForCount('error', 3);
    expect(line.rooms.find(({ room }) => room.id === id)?.seq).toBe(0);
    await line.close();
  });
});
