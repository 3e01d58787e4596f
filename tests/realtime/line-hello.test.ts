import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

describe('hello, first frame', () => {
  test('has all its fields and no others', async () => {
    const roomId = await newRoom();
    const before = Date.now();
    const client = await RoomLine.enter(server, ann, roomId);
    const { epoch, server_time, user_seq, ...rest } = client.hello;
    expect(rest).toEqual({
      type: 'hello',
      protocol: 2,
      user_id: ann.userId,
      username: ann.username,
      heartbeat_ms: 25_000,
      limits: {
        content: 4000,
        frame_bytes: 65_536,
        messages_per_second: 50,
        message_burst: 300,
        file_bytes: 104_857_600,
        files: 10,
      },
      server_name: 'Roomful',
      return_ticket: { ticket: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expires_in: 900 },
    });
    expect(user_seq).toBeGreaterThan(0);
    expect(epoch).toMatch(/^[\w-]+$/);
    expect(server_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(server_time) - before)).toBeLessThan(60_000);
    await client.close();
  });

  test('opened.seq is the room\u2019s head when the socket entered; live events follow from the next one', async () => {
    const roomId = await newRoom();
    const first = await RoomLine.enter(server, ann, roomId);
    for (let count = 1; count <= 3; count++) await first.post(`message ${count}`);
    const second = await RoomLine.enter(server, bo, roomId);
    expect(second.room.seq).toBe(3);
    expect((await findRoom(server, ann, roomId))?.seq).toBe(3);
    await first.post('message 4');
    await second.settle();
    expect(second.events.map((event) => event.seq)).toEqual([4]);
    await Promise.all([first.close(), second.close()]);
  });

  test('online and users count users, not sockets, in both protocols', async () => {
    const roomId = await newRoom();
    const others = [await ChatClient.enter(server, ann, roomId), await RoomLine.enter(server, ann, roomId)];
    const client = await RoomLine.enter(server, bo, roomId);
    const annIn = { user_id: ann.userId, username: ann.username };
    expect(client.room).toMatchObject({ online: 1, users: [annIn] });
    expect(client.people).toEqual([annIn, { user_id: bo.userId, username: bo.username }]);
    await Promise.all([...others, client].map((socket) => socket.close()));
  });

  test('epoch: one for all rooms, the same after a restart or a crash, another one in another database', async () => {
    await using own = await ServerProcess.start();
    const cy = await signUp(own);
    const rooms = [(await createRoom(own, cy)).id, (await createRoom(own, cy)).id, 0];
    rooms[2] = rooms[0] ?? 0;
    const epochs: string[] = [];
    for (const [index, roomId] of rooms.entries()) {
      const client = await RoomLine.enter(own, cy, roomId);
      epochs.push(client.hello.epoch);
      await client.close();
      if (index < 2) {
        await (index === 0 ? own.stop() : own.kill());
        await own.restart();
      }
    }
    expect(new Set(epochs).size).toBe(1);
    const here = await RoomLine.enter(server, ann, await newRoom());
    expect(here.hello.epoch).not.toBe(epochs[0]);
    await here.close();
  });

  test('limits are the settings; 0 means unlimited', async () => {
    const settings = { MESSAGES_PER_SECOND: '7', MESSAGE_BURST: '9' };
    for (const env of [settings, { ...settings, MESSAGE_BURST: '0' }]) {
      await using limited = await ServerProcess.start({ env });
      const cy = await signUp(limited);
      const client = await RoomLine.enter(limited, cy, (await createRoom(limited, cy)).id);
      expect(client.hello.limits).toMatchObject({
        messages_per_second: Number(env.MESSAGES_PER_SECOND),
        message_burst: Number(env.MESSAGE_BURST),
      });
      await client.close();
    }
  });
});
