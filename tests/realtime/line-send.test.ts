import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const G_CLEF = '\u{1D11E}';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;
const contents = (messages: Message[]) => messages.map((message) => message.content);

describe('{type:"message", content, cid}: an ack, and the broadcast', () => {
  test('the ack has the message\u2019s cid, id, seq and created_at, and goes to the sender only', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    const witness = await RoomLine.enter(server, ann, roomId);
    const ack = await sender.post('hello', 'c-1');
    const heard = await sender.waitFor('message');
    expect(heard).toEqual({
      type: 'message',
      id: ack.id,
      room_id: roomId,
      user_id: ann.userId,
      username: ann.username,
      content: 'hello',
      created_at: ack.created_at,
      seq: 1,
      cid: 'c-1',
    });
    expect(ack).toEqual({
      type: 'ack',
      room_id: roomId,
      cid: 'c-1',
      id: heard.id,
      seq: 1,
      created_at: heard.created_at,
    });
    expect(await readHistory(server, ann, roomId)).toEqual([heard]);
    await witness.settle();
    expect(witness.of('ack')).toEqual([]);
    await Promise.all([sender.close(), witness.close()]);
  });

  test('the cid goes to every line and to no v1 socket', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    const second = await RoomLine.enter(server, bo, roomId);
    const base = await ChatClient.enter(server, bo, roomId);
    await sender.post('hello', 'c-1');
    expect((await sender.waitFor('message')).cid).toBe('c-1');
    expect((await second.waitFor('message')).cid).toBe('c-1');
    expect(await base.waitFor('message')).not.toHaveProperty('cid');
    base.say('from the base');
    expect(await second.waitFor('message', (message) => message.seq === 2)).not.toHaveProperty('cid');
    await Promise.all([sender.close(), second.close(), base.close()]);
  });

  test('without a cid there is no ack', async () => {
    const sender = await RoomLine.enter(server, ann, await newRoom());
    sender.say('hello');
    expect(await sender.waitFor('message')).not.toHaveProperty('cid');
    await sender.settle();
    expect(sender.of('ack')).toEqual([]);
    await sender.close();
  });

  test.each([
    ['one character', 'x'],
    ['64 characters', 'c'.repeat(64)],
    ['64 astral characters', G_CLEF.repeat(64)],
    ['spaces and quotes', ' "\\\' '],
    ['the name of a property', '__proto__'],
  ])('a cid of %s comes back as it is', async (_, cid) => {
    const sender = await RoomLine.enter(server, ann, await newRoom());
    expect((await sender.post('hello', cid)).cid).toBe(cid);
    expect((await sender.waitFor('message')).cid).toBe(cid);
    await sender.close();
  });

  test('every event has the room\u2019s next seq, from 1 and without gaps, the same for all', async () => {
    const roomId = await newRoom();
    const senders = [await RoomLine.enter(server, ann, roomId), await RoomLine.enter(server, bo, roomId)];
    const base = await ChatClient.enter(server, bo, roomId);
    for (let count = 0; count < 80; count++) {
      for (const [index, sender] of senders.entries()) sender.say(`${index} ${count}`, `${index} ${count}`);
      base.say(`base ${count}`);
    }
    const heard = await base.waitForCount('message', 240);
    for (const sender of senders) {
      await sender.waitForCount('message', 240);
      const acks = await sender.waitForCount('ack', 80);
      expect(acks.map((ack) => ack.seq)).toEqual([...acks.map((ack) => ack.seq)].sort((a, b) => a - b));
      expect(sender.events.map((event) => event.seq)).toEqual(heard.map((message) => message.seq));
      for (const ack of acks) expect(sender.events[ack.seq - 1]).toMatchObject({ cid: ack.cid, id: ack.id });
    }
    expect(heard.map((message) => message.seq)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
    expect(await readHistory(server, ann, roomId)).toEqual(senders[0]?.events);
    await Promise.all([...senders, base].map((socket) => socket.close()));
  });
});

describe('an ack comes only after the message is durable', () => {
  test('kill -9 right after the ack: the message is there, and its cid is known', async () => {
    await using own = await ServerProcess.start();
    const cy = await signUp(own);
    const roomId = (await createRoom(own, cy)).id;
    const acks = [];
    for (let round = 1; round <= 3; round++) {
      const sender = await RoomLine.enter(own, cy, roomId);
      acks.push(await sender.post(`message ${round}`, `c-${round}`));
      await own.kill();
      await own.restart();
    }
    const history = await readHistory(own, cy, roomId);
    expect(
      history.map(({ id, seq, created_at, cid = '' }) => ({
        type: 'ack',
        room_id: roomId,
        cid,
        id,
        seq,
        created_at,
      })),
    ).toEqual(acks);
    const again = await RoomLine.enter(own, cy, roomId);
    expect(await again.post('message 3', 'c-3')).toEqual({ ...acks[2], duplicate: true });
    await again.close();
  });
});

describe('the same cid again', () => {
  test('returns the first ack with duplicate:true, and stores and broadcasts nothing', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    const witness = await RoomLine.enter(server, bo, roomId);
    const base = await ChatClient.enter(server, bo, roomId);
    const ack = await sender.post('once', 'c-1');
    expect(ack).not.toHaveProperty('duplicate');
    await sender.post('between', 'c-2');
    for (let count = 0; count < 3; count++)
      expect(await sender.post('once', 'c-1')).toEqual({ ...ack, duplicate: true });
    // A later socket of another login is the same user.
    const later = await RoomLine.enter(server, ann, roomId);
    expect(await later.post('once', 'c-1')).toEqual({ ...ack, duplicate: true });
    await later.post('fence');
    await base.waitForCount('message', 3);
    for (const socket of [sender, witness]) {
      await socket.waitForCount('message', 3);
      expect(contents(socket.events)).toEqual(['once', 'between', 'fence']);
    }
    expect(contents(base.of('message'))).toEqual(['once', 'between', 'fence']);
    expect(contents(await readHistory(server, ann, roomId))).toEqual(['once', 'between', 'fence']);
    await Promise.all([sender, witness, base, later].map((socket) => socket.close()));
  });

  test('20 at once, on two sockets: one is stored, 19 are duplicates of it', async () => {
    const roomId = await newRoom();
    const sockets = [await RoomLine.enter(server, ann, roomId), await RoomLine.enter(server, ann, roomId)];
    for (let count = 0; count < 10; count++) for (const socket of sockets) socket.say('x', 'same');
    const acks = (await Promise.all(sockets.map((socket) => socket.waitForCount('ack', 10)))).flat();
    expect(acks.filter((ack) => ack.duplicate === undefined)).toHaveLength(1);
    expect(acks.filter((ack) => ack.duplicate === true)).toHaveLength(19);
    expect(new Set(acks.map(({ id, seq, created_at }) => `${id} ${seq} ${created_at}`)).size).toBe(1);
    expect(await readHistory(server, ann, roomId)).toHaveLength(1);
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  test('with other content is an error with code cid_conflict, and nothing is stored', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    await sender.post('one', 'c-1');
    for (const content of ['two', 'one ', 'One']) {
      const from = sender.mark();
      sender.say(content, 'c-1');
      expect(await sender.waitFor('error', undefined, from)).toEqual({
        type: 'error',
        room_id: roomId,
        content: 'cid was used for another message',
        code: 'cid_conflict',
        cid: 'c-1',
        retryable: false,
      });
    }
    // In one commit, too.
    sender.say('three', 'c-3');
    sender.say('four', 'c-3');
    sender.say('five', 'c-5');
    await sender.waitFor('ack', (ack) => ack.cid === 'c-5');
    expect(sender.of('error').filter((error) => error.cid === 'c-3')).toHaveLength(1);
    const history = await readHistory(server, ann, roomId);
    expect(contents(history)).toEqual(['one', 'three', 'five']);
    expect(history.map((message) => message.seq)).toEqual([1, 2, 3]);
    await sender.close();
  });

  test('from another user, or in another room, is another message', async () => {
    const [here, there] = [await newRoom(), await newRoom()];
    const sockets = [
      await RoomLine.enter(server, ann, here),
      await RoomLine.enter(server, bo, here),
      await RoomLine.enter(server, ann, there),
    ];
    for (const socket of sockets) {
      expect(await socket.post(`from ${sockets.indexOf(socket)}`, 'c-1')).not.toHaveProperty('duplicate');
    }
    await Promise.all(sockets.map((socket) => socket.close()));
  });
});
