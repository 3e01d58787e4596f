/** A list of rooms that is longer than what a slow socket may owe. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { MEMBERSHIPS_MAX, ROOM_DESCRIPTION_MAX } from '../../protocol/limits.ts';
import { LineStage } from './line-stage.ts';

type Rooms = Extract<ServerFrameV2, { type: 'rooms' }>;

let stage: LineStage;

beforeEach(async () => {
  stage = await LineStage.start();
});
afterEach(() => stage.stop());

/** Fills the owner's list, with the longest descriptions. Returns all rooms of the list. */
async function fillList(): Promise<number[]> {
  const { store, user } = stage;
  const description = '\u{1F980}'.repeat(ROOM_DESCRIPTION_MAX);
  const roomIds = [stage.roomId];
  while (roomIds.length < MEMBERSHIPS_MAX) {
    const name = `room ${roomIds.length}`;
    const made = await store.createRoom({
      ...{ name, key: name, looks: [name], isDisguised: false, kind: 'public', topic: '', emoji: null },
      ...{ maxPerDay: 0, ownerId: user.userId, now: 0 },
    });
    if (made.outcome !== 'created') throw new Error('no room');
    const roomId = made.room.id;
    await store.changeRoom({ roomId, actorId: user.userId, patch: { description }, now: 0 });
    roomIds.push(roomId);
  }
  return roomIds;
}

const WAIT = { timeout: 60_000 };

/** Waits until the complete list has arrived. */
async function untilWhole(frames: readonly ServerFrameV2[]): Promise<void> {
  const isLast = (frame: ServerFrameV2) => isRooms(frame) && frame.complete && !frame.more;
  await expect.poll(() => frames.some(isLast), WAIT).toBe(true);
}

const isRooms = (frame: ServerFrameV2): frame is Rooms => frame.type === 'rooms';

test('500 rooms with the longest descriptions come in frames below 256 KiB, the last one without more', async () => {
  const roomIds = await fillList();
  const { frames } = await stage.connect(stage.user, null);
  await untilWhole(frames);
  const pages = frames.filter(isRooms);
  for (const page of pages) {
    expect(page.complete).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(256 * 1024);
  }
  expect(pages.slice(0, -1).every(({ more }) => more)).toBe(true);
  const listed = pages.flatMap(({ rooms }) => rooms);
  expect(listed.map(({ room }) => room.id).sort()).toEqual([...roomIds].sort());
  // The counts are those of the whole list.
  expect(listed.filter(({ unread }) => unread !== undefined)).toHaveLength(50);
}, 120_000);

test('what changes while a list is being sent comes after it, in a rooms frame and not as a head', async () => {
  const [, firstId = 0] = await fillList();
  const { store, hub, user, posting } = stage;
  const { entries } = store;
  let reads = 0;
  store.entries = async (query) => {
    // The list has been read, and the first frame of it sent.
    if (++reads === 2) {
      await posting.post({ roomId: firstId, author: user, draft: { content: 'late', cid: null } });
      hub.lines.heads.tick();
    }
    return await entries.call(store, query);
  };
  const { frames, line } = await stage.connect(user, null);
  line.look(999);
  await untilWhole(frames);
  const isChange = (frame: ServerFrameV2) => isRooms(frame) && !frame.complete;
  const change = () => {
    line.tick(performance.now());
    return frames.find(isChange);
  };
  const rooms = [{ room: { id: firstId }, seq: 2, last: { excerpt: 'late' } }];
  await expect.poll(change, WAIT).toMatchObject({ rooms });
  expect(frames.filter(({ type }) => type === 'head')).toEqual([]);
}, 120_000);
