/** How far a socket is behind cannot be controlled over a real network, so the test sets what its writer reports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Bus } from '../../server/bus/bus.ts';
import { createMemoryBus } from '../../server/bus/memory.ts';
import { createLogger } from '../../server/log.ts';
import { Posting } from '../../server/messages/post.ts';
import { Presence } from '../../server/presence/presence.ts';
import { Typing } from '../../server/presence/typing.ts';
import { BudgetBook } from '../../server/realtime/connection/budgets.ts';
import { Hub } from '../../server/realtime/hub.ts';
import { Line } from '../../server/realtime/line/line.ts';
import { announce } from '../../server/rooms/announce.ts';
import { openSqliteStore } from '../../server/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../server/storage/store.ts';

const KIB = 1024;

let dataDir: string;
let store: Store;
let bus: Bus;
let hub: Hub;
let posting: Posting;
let server: Server;
let connect: (login: typeof user, count?: number) => Promise<void>;
let line: Line;
let frames: ServerFrameV2[];
let user: { userId: number; username: string; sessionId: number };
let roomId: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roomful-shed-'));
  const opened = await openSqliteStore({
    dataDir,
    onFatal(error) {
      throw error;
    },
  });
  store = opened.store;
  bus = createMemoryBus();
  const typing = new Typing(bus);
  const messageLimit = { perSecond: 0, burst: 0 };
  hub = new Hub({ store, presence: new Presence(), typing, bus, epoch: opened.epoch, messageLimit });
  posting = new Posting({ store, bus });
  user = { userId: await createUser('ann'), username: 'ann', sessionId: 1 };
  const facts = { kind: 'public' as const, topic: '', emoji: null, maxPerDay: 0 };
  const room = await store.createRoom({
    ...{ name: 'r', key: 'r', looks: ['r'], isDisguised: false },
    ...{ ...facts, ownerId: user.userId, now: 0 },
  });
  if (room.outcome !== 'created') throw new Error('no room');
  roomId = room.room.id;
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const websockets = new WebSocketServer({ noServer: true });
  const parts = { hub, posting, typing, lifecycle: { draining: false }, log: createLogger('silent') };
  connect = async (login, count = 2) => {
    const entered = new Promise<Line>((resolve) => {
      server.once('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
        websockets.handleUpgrade(request, socket, head, (websocket) => {
          const budgets = new BudgetBook(undefined).open(login.userId);
          const accepted = new Line(
            { websocket, socket, user: login, addressKey: undefined, budgets },
            parts,
          );
          hub.enter(accepted);
          resolve(accepted);
        }),
      );
    });
    const own: ServerFrameV2[] = [];
    frames = own;
    const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    far.on('message', (data) => own.push(JSON.parse(String(data))));
    far.on('open', () => far.send('{"type":"start"}'));
    line = await entered;
    await heard(count);
  };
});
afterEach(async () => {
  await hub.closeAll(1000);
  server.close();
  await store.close();
  await rm(dataDir, { recursive: true });
});

async function createUser(username: string): Promise<number> {
  const names = { username, key: username, looks: [username], isDisguised: false };
  const created = await store.createUser({ ...names, passwordHash: '', now: 0 });
  if (created.outcome !== 'created') throw new Error('no user');
  return created.user.id;
}

function behindBy(bytes: number): void {
  Object.defineProperty(line.writer, 'unsentBytes', { value: bytes, configurable: true });
}

const say = (content: string) => posting.post({ roomId, author: user, content, cid: null });
const heard = async (count: number) => {
  await expect.poll(() => frames.length, { timeout: 20_000 }).toBe(count);
  return frames.at(-1);
};

test('a line that is behind gets no heads; when it has caught up, one rooms frame says what differs', async () => {
  await connect(user);
  // Some room is in sight, so that heads are told each second.
  line.look(999);
  await say('one');
  hub.lines.heads.tick();
  expect(await heard(3)).toMatchObject({ type: 'head', seq: 1 });
  behindBy(65 * KIB);
  for (const content of ['two', 'three', 'four']) {
    await say(content);
    hub.lines.heads.tick();
  }
  line.tick(performance.now());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(frames).toHaveLength(3);
  behindBy(0);
  line.tick(performance.now());
  const told = await heard(4);
  expect(told).toMatchObject({
    type: 'rooms',
    complete: false,
    rooms: [{ seq: 4, last: { excerpt: 'four' } }],
  });
  line.tick(performance.now());
  await say('five');
  hub.lines.heads.tick();
  expect(await heard(5)).toMatchObject({ type: 'head', from: 4, seq: 5 });
});

test('a head that was held back is not followed by the next one: the room comes first', async () => {
  await connect(user);
  line.look(999);
  behindBy(65 * KIB);
  await say('one');
  hub.lines.heads.tick();
  // Less is unsent now, but not nothing.
  behindBy(KIB);
  await say('two');
  hub.lines.heads.tick();
  behindBy(0);
  line.tick(performance.now());
  expect(await heard(3)).toMatchObject({ type: 'rooms', rooms: [{ seq: 2 }] });
});

test('a head that comes while the rooms that were held back are being read waits for the next rooms frame', async () => {
  await connect(user);
  line.look(999);
  behindBy(65 * KIB);
  await say('one');
  hub.lines.heads.tick();
  behindBy(0);
  const { entries } = store;
  store.entries = async (query) => {
    const read = await entries.call(store, query);
    await say('two');
    hub.lines.heads.tick();
    store.entries = entries;
    return read;
  };
  line.tick(performance.now());
  expect(await heard(3)).toMatchObject({ type: 'rooms', rooms: [{ seq: 1 }] });
  await new Promise((resolve) => setImmediate(resolve));
  line.tick(performance.now());
  expect(await heard(4)).toMatchObject({ type: 'rooms', rooms: [{ seq: 2 }] });
});

test('a room that is closed while it resumes: what the client has not got comes with the room', async () => {
  await connect(user);
  line.look(999);
  for (const content of ['one', 'two', 'three']) await say(content);
  hub.lines.heads.tick();
  await heard(3);
  const { onSeated } = line;
  line.onSeated = (seat) => {
    onSeated.call(line, seat);
    line.closeRoom(roomId);
  };
  line.open.open(roomId, { since: 0, epoch: line.knownEpoch });
  await expect
    .poll(
      () => {
        line.tick(performance.now());
        return frames.at(-1);
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ type: 'rooms', complete: false, rooms: [{ seq: 3 }] });
});

test('a hole before the head is read from the log', async () => {
  await connect(user);
  line.look(999);
  const { userId } = user;
  await store.append({ roomId, userId, cid: null, content: 'announced to nobody', now: 1 });
  await say('two');
  await expect
    .poll(
      () => {
        hub.lines.heads.tick();
        return frames.at(-1);
      },
      { timeout: 20_000 },
    )
    .toMatchObject({
      type: 'head',
      from: 0,
      seq: 2,
      number: 2,
      texts: [
        [1, userId],
        [2, userId],
      ],
    });
});

test('of 203 direct conversations the 200 latest are told, and an older one comes back with its next message', async () => {
  const dms: number[] = [];
  for (let index = 0; index < 203; index++) {
    const otherId = await createUser(`user ${index}`);
    const now = 1000 + index;
    const userIds = [user.userId, otherId];
    const made = await store.createDm({ userIds, makerId: otherId, now, maxPerDay: 0 });
    if (made.outcome !== 'created') throw new Error('no conversation');
    await store.append({ roomId: made.room.id, userId: otherId, cid: null, content: 'hi', now });
    dms.push(made.room.id);
  }
  await connect(user);
  const [, first] = frames;
  if (first?.type !== 'rooms') throw new Error('no rooms');
  const told = first.rooms.flatMap(({ room }) => (room.kind === 'dm' ? [room.id] : []));
  expect(told.sort()).toEqual(dms.slice(3).sort());
  await posting.post({ roomId: dms[1] ?? 0, author: user, content: 'again', cid: null });
  await new Promise((resolve) => setImmediate(resolve));
  line.tick(performance.now());
  const { rooms } = (await heard(3)) as Extract<ServerFrameV2, { type: 'rooms' }>;
  expect(rooms.map(({ room, last }) => [room.id, last?.excerpt])).toEqual([[dms[1], 'again']]);
});

test('a line that asks and does not read is closed above 1 MiB of responses', async () => {
  await connect(user);
  behindBy(1024 * KIB);
  line.send(line.wire.pong('at the limit'));
  expect(line.isOpen()).toBe(true);
  behindBy(1024 * KIB + 1);
  line.send(line.wire.pong('above it'));
  expect(line.isOpen()).toBe(false);
});

test('a line that asks often for its unread messages has one read at a time, for all that it has asked', async () => {
  await connect(user);
  const { entries } = store;
  let reads = 0;
  let most = 0;
  let running = 0;
  store.entries = async (query) => {
    reads++;
    most = Math.max(most, ++running);
    return await entries.call(store, query).finally(() => running--);
  };
  for (let index = 0; index < 200; index++) line.askUnread([roomId, 999]);
  const told = (await heard(4)) as Extract<ServerFrameV2, { type: 'rooms' }>;
  expect(told.rooms.map(({ room, unread }) => [room.id, unread])).toEqual([[roomId, 0]]);
  expect({ reads, most }).toEqual({ reads: 2, most: 1 });
});

test('the response to a question about rooms that are not on the list is an empty rooms frame', async () => {
  await connect(user);
  line.askUnread([999]);
  expect(await heard(3)).toEqual({ type: 'rooms', rooms: [], complete: false });
});

test('a user who is removed while their list is being read hears nothing that comes after it', async () => {
  const bo = { userId: await createUser('bo'), username: 'bo', sessionId: 2 };
  const change = { roomId, actorId: user.userId, userId: bo.userId, now: 0 };
  await store.changeRoom({ roomId, actorId: user.userId, patch: { kind: 'private' }, now: 0 });
  await store.setMember({ ...change, role: 'member' });
  await connect(user);
  const { entries, userLog } = store;
  store.entries = async (query) => {
    const read = await entries.call(store, query);
    line.look(999);
    announce(bus, await store.removeMember(change));
    await say('secret');
    return read;
  };
  store.userLog = async (query) => {
    hub.lines.heads.tick();
    return await userLog.call(store, query);
  };
  await connect(bo, 3);
  expect(frames.map(({ type }) => type)).toEqual(['hello', 'rooms', 'gone']);
  expect(frames.at(-1)).toMatchObject({ room_id: roomId, reason: 'removed' });
});
