/** How far a socket is behind cannot be controlled over a real network, so the test sets what its writer reports. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Store } from '../../server/data/storage/store.ts';
import type { Hub } from '../../server/entrypoints/realtime/hub.ts';
import type { Line } from '../../server/entrypoints/realtime/line/session/line.ts';
import { LineStage, type OpenLine } from './line-stage.ts';

const KIB = 1024;

let stage: LineStage;
let hub: Hub;
let store: Store;
let line: Line;
let frames: ServerFrameV2[];
let heard: OpenLine['heard'];
let user: LineStage['user'];
let roomId: number;

beforeEach(async () => {
  stage = await LineStage.start();
  ({ hub, store, user, roomId } = stage);
  ({ line, frames, heard } = await stage.connect());
});
afterEach(() => stage.stop());

const say = (content: string) => stage.say(content);

function behindBy(bytes: number): void {
  Object.defineProperty(line.writer, 'unsentBytes', { value: bytes, configurable: true });
}

test('a line that is behind gets no heads; when it has caught up, one rooms frame says what differs', async () => {
  // Some room is in sight, so that heads are sent each second.
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

test('a line that asks and does not read is closed above 1 MiB of responses', async () => {
  behindBy(1024 * KIB);
  line.send(line.wire.pong('at the limit'));
  expect(line.isOpen()).toBe(true);
  behindBy(1024 * KIB + 1);
  line.send(line.wire.pong('above it'));
  expect(line.isOpen()).toBe(false);
});

test('a line that asks often for its unread messages has one read at a time, for all that it has asked', async () => {
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
  line.askUnread([999]);
  expect(await heard(3)).toEqual({ type: 'rooms', rooms: [], complete: false });
});

test('of 203 direct conversations the list has the 200 latest; an older one comes back with its next message', async () => {
  const dms: number[] = [];
  for (let index = 0; index < 203; index++) {
    const { userId: otherId } = await stage.createUser(`user ${index}`);
    const now = 1000 + index;
    const userIds = [user.userId, otherId];
    const made = await store.createDm({ userIds, makerId: otherId, now, maxPerDay: 0 });
    if (made.outcome !== 'created') throw new Error('no conversation');
    await store.append({ roomId: made.room.id, userId: otherId, cid: null, content: 'hi', now });
    dms.push(made.room.id);
  }
  ({ line, frames, heard } = await stage.connect());
  const [, first] = frames;
  if (first?.type !== 'rooms') throw new Error('no rooms');
  const told = first.rooms.flatMap(({ room }) => (room.kind === 'dm' ? [room.id] : []));
  expect(told.sort()).toEqual(dms.slice(3).sort());
  await stage.posting.post({ roomId: dms[1] ?? 0, author: user, draft: { content: 'again', cid: null } });
  await new Promise((resolve) => setImmediate(resolve));
  line.tick(performance.now());
  const { rooms } = (await heard(3)) as Extract<ServerFrameV2, { type: 'rooms' }>;
  expect(rooms.map(({ room, last }) => [room.id, last?.excerpt])).toEqual([[dms[1], 'again']]);
});
