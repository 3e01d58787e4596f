/** Something happens between two steps of the server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announce } from '../../server/rooms/announce.ts';
import { LineStage } from './line-stage.ts';

let stage: LineStage;

beforeEach(async () => {
  stage = await LineStage.start();
});
afterEach(() => stage.stop());

/** Bo is a member of the room. Returns who removes bo. */
async function withBo() {
  const { store, user, roomId, bus } = stage;
  const bo = await stage.createUser('bo');
  const change = { roomId, actorId: user.userId, userId: bo.userId, now: 0 };
  await store.setMember({ ...change, role: 'member' });
  const removeBo = async () => announce(bus, await store.removeMember(change));
  return { bo, removeBo };
}

test('a user who is removed while their list is being read hears nothing that comes after it', async () => {
  const { store, user, roomId, hub } = stage;
  await store.changeRoom({ roomId, actorId: user.userId, patch: { kind: 'private' }, now: 0 });
  const { bo, removeBo } = await withBo();
  const { line } = await stage.connect();
  const { entries, userLog } = store;
  store.entries = async (query) => {
    const read = await entries.call(store, query);
    line.look(999);
    await removeBo();
    await stage.say('secret');
    return read;
  };
  store.userLog = async (query) => {
    hub.lines.heads.tick();
    return await userLog.call(store, query);
  };
  const { frames } = await stage.connect(bo, 3);
  expect(frames.map(({ type }) => type)).toEqual(['hello', 'rooms', 'gone']);
  expect(frames.at(-1)).toMatchObject({ room_id: roomId, reason: 'removed' });
});

test('a user who is removed from a public room while it is being opened may still look at it', async () => {
  const { store, roomId } = stage;
  const { bo, removeBo } = await withBo();
  const { line, frames } = await stage.connect(bo);
  const { standing } = store;
  store.standing = async (where) => {
    const read = await standing.call(store, where);
    store.standing = standing;
    await removeBo();
    return read;
  };
  line.open.open(roomId, undefined);
  const seen = (type: string) => frames.find((frame) => frame.type === type);
  await expect.poll(() => seen('opened'), { timeout: 20_000 }).toMatchObject({ room_id: roomId });
  await expect.poll(() => seen('gone'), { timeout: 20_000 }).toMatchObject({ room_id: roomId });
  expect(seen('error')).toBeUndefined();
});

test('a user who is removed from a private room while it is being opened does not get it', async () => {
  const { store, user, roomId } = stage;
  await store.changeRoom({ roomId, actorId: user.userId, patch: { kind: 'private' }, now: 0 });
  const { bo, removeBo } = await withBo();
  const { line, frames } = await stage.connect(bo);
  const { standing } = store;
  store.standing = async (where) => {
    const read = await standing.call(store, where);
    store.standing = standing;
    await removeBo();
    return read;
  };
  line.open.open(roomId, undefined);
  const seen = (type: string) => frames.find((frame) => frame.type === type);
  await expect.poll(() => seen('error'), { timeout: 20_000 }).toMatchObject({ code: 'room_not_found' });
  expect(seen('opened')).toBeUndefined();
});

test('a room that is looked at while it resumes: no change of presence follows the state that includes it', async () => {
  const { user, roomId } = stage;
  await stage.say('one');
  const bo = await stage.createUser('bo');
  const { line, frames } = await stage.connect();
  const { onSeated } = line;
  line.onSeated = (seat) => {
    onSeated.call(line, seat);
    seat.channel.arrive(bo);
    line.look(roomId);
  };
  line.open.open(roomId, { since: 0, epoch: undefined });
  await expect.poll(() => frames.some(({ type }) => type === 'sync'), { timeout: 20_000 }).toBe(true);
  const ofPresence = () => frames.filter(({ type }) => type === 'presence');
  await expect.poll(ofPresence, { timeout: 20_000 }).not.toEqual([]);
  const users = [bo, user].map(({ userId, username }) => ({ user_id: userId, username }));
  expect(ofPresence()).toEqual([
    { type: 'presence', room_id: roomId, online: 2, joined: [], left: [], users },
  ]);
});

test('a room that is to be opened gets no heads, and comes as a whole when it cannot be opened', async () => {
  const { store, hub, roomId } = stage;
  const { line, frames, heard } = await stage.connect();
  line.look(999);
  const { standing } = store;
  store.standing = async () => {
    store.standing = standing;
    await stage.say('one');
    hub.lines.heads.tick();
    throw new Error('the database takes no reads');
  };
  line.open.open(roomId, undefined);
  expect(await heard(3)).toMatchObject({ type: 'error', room_id: roomId });
  line.tick(performance.now());
  expect(await heard(4)).toMatchObject({ type: 'rooms', rooms: [{ seq: 1 }] });
  expect(frames.some(({ type }) => type === 'head')).toBe(false);
});
