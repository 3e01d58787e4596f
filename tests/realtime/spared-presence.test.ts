import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createMemoryBus } from '../../server/data/bus/memory.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { BudgetBook } from '../../server/entrypoints/realtime/connection/budgets.ts';
import type { Accepted, Connection } from '../../server/entrypoints/realtime/connection/connection.ts';
import { RoomConnection } from '../../server/entrypoints/realtime/connection/room-connection.ts';
import { Hub } from '../../server/entrypoints/realtime/hub.ts';
import { Line } from '../../server/entrypoints/realtime/line/session/line.ts';
import { ServerName } from '../../server/features/administration/server-name.ts';
import { Changes } from '../../server/features/messages/changes.ts';
import { Posting } from '../../server/features/messages/post.ts';
import { Presence } from '../../server/features/presence/presence.ts';
import { Typing } from '../../server/features/presence/typing.ts';
import { Lifecycle } from '../../server/platform/lifecycle.ts';
import { createLogger } from '../../server/platform/log.ts';

/** How far a socket is behind cannot be controlled over a real network, so the test sets the connection's flag. */
let dataDir: string;
let store: Store;
let hub: Hub;
let presence: Presence;
let roomId: number;
let server: Server;
let parts: ConstructorParameters<typeof RoomConnection>[1] & ConstructorParameters<typeof Line>[1];
let connect: <C extends Connection>(
  userId: number,
  make: (accepted: Accepted) => C,
) => Promise<{ connection: C; far: WebSocket; frames: unknown[] }>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roomful-spared-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  const opened = await openSqliteStore({ dataDir, onFatal });
  store = opened.store;
  const bus = createMemoryBus();
  const typing = new Typing(bus);
  presence = new Presence();
  const messageLimit = { perSecond: 0, burst: 0 };
  const { epoch } = opened;
  const { now } = Date;
  const serverName = new ServerName({ store, now });
  hub = new Hub({ store, presence, typing, bus, epoch, messageLimit, serverName, now });
  const owner = await store.createUser({
    username: 'ann',
    key: 'ann',
    looks: ['ann'],
    isDisguised: false,
    passwordHash: '',
    now: 0,
  });
  if (owner.outcome !== 'created') throw new Error('no user');
  const names = { name: 'r', key: 'r', looks: ['r'], isDisguised: false };
  const kind = { kind: 'public', topic: '', emoji: null, maxPerDay: 0 } as const;
  const room = await store.createRoom({ ...names, ...kind, ownerId: owner.user.id, now: 0 });
  if (room.outcome !== 'created') throw new Error('no room');
  roomId = room.room.id;
  parts = {
    ...{ hub, store, tickets: { issueReturn: () => undefined } },
    posting: new Posting({ store, bus }),
    changes: new Changes({ store, bus }),
    typing,
    lifecycle: new Lifecycle(),
    log: createLogger('silent'),
    now: Date.now,
  };
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const websockets = new WebSocketServer({ noServer: true });
  connect = async <C extends Connection>(userId: number, make: (accepted: Accepted) => C) => {
    const entered = new Promise<C>((resolve) => {
      server.once('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
        websockets.handleUpgrade(request, socket, head, (websocket) => {
          const user = { userId, username: `user ${userId}`, sessionId: userId };
          const budgets = new BudgetBook(undefined).open(userId);
          const connection = make({ websocket, socket, user, admittedAt: 0, addressKey: undefined, budgets });
          hub.enter(connection);
          resolve(connection);
        }),
      );
    });
    const frames: unknown[] = [];
    const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    far.on('message', (data) => frames.push(JSON.parse(String(data))));
    return { connection: await entered, far, frames };
  };
});
afterEach(async () => {
  await hub.closeAll(1000);
  server.close();
  await store.close();
  await rm(dataDir, { recursive: true });
});

const seen = async (frames: unknown[], count: number) => {
  await expect.poll(() => frames.length, { timeout: 20_000 }).toBe(count);
  return frames.at(-1);
};

test('a v1 socket that missed joins and leaves gets its own join, with the present count', async () => {
  const channel = await hub.hold(roomId);
  const log = await hub.lines.userLogs.hold(1);
  const enter = (accepted: Accepted) => new RoomConnection(accepted, parts, { channel, log, member: null });
  const { connection, frames } = await connect(1, enter);
  const own = { type: 'join', room_id: roomId, user_id: 1, username: 'user 1' };
  expect(await seen(frames, 1)).toEqual({ ...own, online: 1 });
  presence.enter(roomId, { userId: 2, username: 'user 2' });
  connection.seat.missedEphemeral = true;
  connection.tick(performance.now());
  expect(await seen(frames, 2)).toEqual({ ...own, online: 2 });
  connection.tick(performance.now());
  connection.send('{"type":"pong"}');
  expect(await seen(frames, 3)).toEqual({ type: 'pong' });
});

test('a line that missed presence changes of the room in sight gets the list of users who are there', async () => {
  const { connection, far, frames } = await connect(1, (accepted) => new Line(accepted, parts));
  await seen(frames, 1);
  for (const frame of [{ type: 'start' }, ...['open', 'here'].map((type) => ({ type, room_id: roomId }))])
    far.send(JSON.stringify(frame));
  const users = [1, 2].map((user_id) => ({ user_id, username: `user ${user_id}` }));
  const state = { type: 'presence', room_id: roomId, joined: [], left: [] };
  // Before it: `hello`, `rooms` and `opened`.
  expect(await seen(frames, 4)).toEqual({ ...state, online: 1, users: users.slice(0, 1) });
  presence.enter(roomId, { userId: 2, username: 'user 2' });
  for (const seat of connection.open.seats()) seat.missedEphemeral = true;
  connection.tick(performance.now());
  expect(await seen(frames, 5)).toEqual({ ...state, online: 2, users });
});
