import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { type Cursor, RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

/** The messages that a room keeps in memory; a client that is further behind is served from the database. */
const KEPT_AT_HAND = 256;

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** A fresh room with this many messages; its speaker is still in it. */
async function roomOf(count: number) {
  const roomId = (await createRoom(server, ann)).id;
  const speaker = await RoomLine.enter(server, ann, roomId);
  await speak(speaker, 1, count);
  return { roomId, speaker, epoch: speaker.hello.epoch };
}

async function speak(speaker: RoomLine, from: number, to: number): Promise<void> {
  for (let seq = from; seq <= to; seq++) speaker.say(`message ${seq}`, `c-${seq}`);
  if (to >= from) await speaker.waitFor('ack', (ack) => ack.seq === to);
}

/** Differs in its first letter alone. */
const inOtherCase = (text: string) =>
  text.replace(/[a-z]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const comeBack = (roomId: number, cursor: Cursor) => RoomLine.enter(server, bo, roomId, { cursor });
const seqs = (events: Message[]) => events.map((event) => event.seq);
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('resume: opened, batch*, sync, live', () => {
  test.each([
    ['nothing', 0],
    ['one', 1],
    ['a batch', 200],
    ['a batch and one', 201],
    ['what is at hand', KEPT_AT_HAND],
    ['one more than what is at hand', KEPT_AT_HAND + 1],
    ['a lot', 1500],
    ['exactly 5000', 5000],
  ])('%s behind: nothing is missed, nothing comes twice, batches of at most 200', async (_, behind) => {
    const { roomId, speaker, epoch } = await roomOf(behind + 3);
    const client = await comeBack(roomId, { since: 3, epoch });
    expect(client.room).toMatchObject({ seq: behind + 3, resumed: true });
    expect(client.of('sync')).toEqual([{ type: 'sync', room_id: roomId, seq: behind + 3 }]);
    await speaker.post('live');
    await client.waitFor('message');
    const batches = client.of('batch');
    for (const { events } of batches) {
      expect(events.length).toBeGreaterThan(0);
      expect(events.length).toBeLessThanOrEqual(200);
    }
    const ofRoom = new Set(['opened', 'batch', 'sync', 'message']);
    expect(client.frames.map(({ type }) => type).filter((type) => ofRoom.has(type))).toEqual([
      'opened',
      ...batches.map(() => 'batch'),
      'sync',
      'message',
    ]);
    expect(seqs(client.events)).toEqual(upTo(4, behind + 4));
    expect(client.events).toEqual((await readHistory(server, bo, roomId)).slice(3));
    await Promise.all([speaker.close(), client.close()]);
  });

  test('events in a batch are the frames that were sent live, cid included', async () => {
    const { roomId, speaker, epoch } = await roomOf(0);
    const witness = await RoomLine.enter(server, bo, roomId);
    await speak(speaker, 1, KEPT_AT_HAND + 50);
    await speaker.post('last');
    await witness.waitFor('message', (message) => message.content === 'last');
    const fromDatabase = await comeBack(roomId, { since: 0, epoch });
    const fromMemory = await comeBack(roomId, { since: 200, epoch });
    expect(fromDatabase.events).toEqual(witness.events);
    expect(fromMemory.events).toEqual(witness.events.slice(200));
    await Promise.all([speaker, witness, fromDatabase, fromMemory].map((socket) => socket.close()));
  });

  test('since=0 asks for everything and needs no epoch; a wrong epoch does not matter', async () => {
    const { roomId, speaker } = await roomOf(5);
    for (const cursor of [{ since: 0 }, { since: 0, epoch: 'another' }]) {
      const client = await comeBack(roomId, cursor);
      expect(client.room.resumed).toBe(true);
      expect(seqs(client.events)).toEqual([1, 2, 3, 4, 5]);
      expect(client.of('sync')).toEqual([{ type: 'sync', room_id: roomId, seq: 5 }]);
      await client.close();
    }
    await speaker.close();
  });

  test('without since there is neither sync nor reset', async () => {
    const { roomId, speaker } = await roomOf(5);
    const client = await RoomLine.enter(server, bo, roomId);
    await client.settle();
    expect(client.room.resumed).toBe(false);
    expect([...client.of('sync'), ...client.of('reset'), ...client.of('batch')]).toEqual([]);
    await Promise.all([speaker.close(), client.close()]);
  });

  test('after kill -9, when nobody is in the room and nothing is in memory', async () => {
    const { roomId, epoch } = await roomOf(300);
    await server.kill();
    await server.restart();
    const client = await comeBack(roomId, { since: 250, epoch });
    expect(seqs(client.events)).toEqual(upTo(251, 300));
    await client.close();
  });

  test('long messages: batches stay well below the limit of unsent bytes', async () => {
    const roomId = (await createRoom(server, ann)).id;
    const speaker = await RoomLine.enter(server, ann, roomId);
    for (let count = 1; count <= 300; count++) {
      speaker.say('\u{1F980}'.repeat(4000), `c-${count}`);
      // The speaker gets its own messages, too: too many at once would close it as a slow consumer.
      if (count % 30 === 0) await speaker.waitForCount('ack', count);
    }
    const client = await comeBack(roomId, { since: 0 });
    expect(seqs(client.events)).toEqual(upTo(1, 300));
    for (const batch of client.of('batch')) expect(JSON.stringify(batch).length).toBeLessThan(256 * 1024);
    await Promise.all([speaker.close(), client.close()]);
  });

  test('amid traffic 20 clients that are cut and resume again and again get each event once', async () => {
    const { roomId, speaker } = await roomOf(0);
    const total = 3000;
    const follow = async (index: number): Promise<Message[]> => {
      const heard: Message[] = [];
      let cursor: Cursor = { since: 0 };
      for (let round = 0; heard.length < total; round++) {
        const client = await RoomLine.enter(server, bo, roomId, { cursor });
        const enough = Math.min(total, heard.length + 40 + index * 9 * (round % 3));
        await client.until('some events', () =>
          heard.length + client.events.length >= enough ? true : undefined,
        );
        await (round % 2 === 0 ? client.drop() : client.close());
        heard.push(...client.events);
        cursor = { since: heard.at(-1)?.seq ?? 0, epoch: client.hello.epoch };
      }
      return heard;
    };
    const followers = Array.from({ length: 20 }, (_, index) => follow(index));
    await speak(speaker, 1, total);
    const history = await readHistory(server, ann, roomId);
    for (const heard of await Promise.all(followers)) expect(heard).toEqual(history);
    await speaker.close();
  });
});

describe('reset: the position is not available', () => {
  const expectReset = async (client: RoomLine, head: number, speaker: RoomLine) => {
    expect(client.room).toMatchObject({ seq: head, resumed: false });
    const { room_id } = client.room;
    expect(client.of('reset')).toEqual([{ type: 'reset', room_id, seq: head }]);
    await speaker.post('live');
    await client.waitFor('message');
    expect(seqs(client.events)).toEqual([head + 1]);
    expect(client.of('batch')).toEqual([]);
    expect(client.of('sync')).toEqual([]);
    await client.close();
  };

  test('no epoch, an empty one, another one', async () => {
    const { roomId, speaker, epoch } = await roomOf(5);
    let head = 5;
    for (const wrong of [undefined, '', `${epoch}x`, inOtherCase(epoch), epoch.slice(1)]) {
      const cursor = wrong === undefined ? { since: 3 } : { since: 3, epoch: wrong };
      await expectReset(await comeBack(roomId, cursor), head++, speaker);
    }
    await speaker.close();
  });

  test('ahead of the room, by one or by far', async () => {
    const { roomId, speaker, epoch } = await roomOf(5);
    await expectReset(await comeBack(roomId, { since: 6, epoch }), 5, speaker);
    await expectReset(await comeBack(roomId, { since: Number.MAX_SAFE_INTEGER, epoch }), 6, speaker);
    await speaker.close();
  });

  test('5001 behind, from a cursor or from the start', async () => {
    const { roomId, speaker, epoch } = await roomOf(5003);
    await expectReset(await comeBack(roomId, { since: 2, epoch }), 5003, speaker);
    await expectReset(await comeBack(roomId, { since: 0 }), 5004, speaker);
    await speaker.close();
  });

  test('another database at the same address has another epoch', async () => {
    await using other = await ServerProcess.start();
    const cy = await signUp(other);
    const roomId = (await createRoom(other, cy)).id;
    const speaker = await RoomLine.enter(other, cy, roomId);
    await speak(speaker, 1, 3);
    const { epoch } = await roomOf(0);
    const client = await RoomLine.enter(other, cy, roomId, { cursor: { since: 2, epoch } });
    expect(client.of('reset')).toEqual([{ type: 'reset', room_id: roomId, seq: 3 }]);
    await Promise.all([speaker.close(), client.close()]);
  });
});
