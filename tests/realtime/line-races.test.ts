/** Something happens between two steps of the server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announce } from '../../server/features/rooms/announce.ts';
import { LineStage } from './line-stage.ts';

let stage: LineStage;

beforeEach(async () => {
  stage = await LineStage.start();
});
afterEach(() => stage.stop());

async function changeRoom(patch: { kind?: 'private'; archived?: boolean }): Promise<void> {
  const { store, user, roomId, bus } = stage;
  const changed = await store.changeRoom({ roomId, actorId: user.userId, patch, now: 1 });
  if (changed.outcome === 'taken') throw new Error('the name is taken');
  announce(bus, changed);
}

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

/** The next opening reads the right to the room before the removal, and goes on after it. */
function removeWhileOpening(remove: () => Promise<unknown>): void {
  const { store } = stage;
  const { standing } = store;
  store.standing = async (where) => {
    const read = await standing.call(store, where);
    store.standing = standing;
    await remove();
    return read;
  };
}

test('a user who is removed from a public room while it is being opened may still look at it', async () => {
  const { roomId } = stage;
  const { bo, removeBo } = await withBo();
  const { line, frames } = await stage.connect(bo);
  removeWhileOpening(removeBo);
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
  removeWhileOpening(removeBo);
  line.open.open(roomId, undefined);
  const seen = (type: string) => frames.find((frame) => frame.type === type);
  await expect.poll(() => seen('error'), { timeout: 20_000 }).toMatchObject({ code: 'room_not_found' });
  expect(seen('opened')).toBeUndefined();
});

test('a user who is removed between the read of the list and the opening of a private room does not get it', async () => {
  const { store, user, roomId } = stage;
  await store.changeRoom({ roomId, actorId: user.userId, patch: { kind: 'private' }, now: 0 });
  const { bo, removeBo } = await withBo();
  const { entries } = store;
  store.entries = async (query) => {
    const read = await entries.call(store, query);
    store.entries = entries;
    await removeBo();
    return read;
  };
  const { line, frames } = await stage.connect(bo, null);
  line.open.open(roomId, undefined);
  const seen = (type: string) => frames.find((frame) => frame.type === type);
  await expect.poll(() => seen('error'), { timeout: 20_000 }).toMatchObject({ code: 'room_not_found' });
  expect(seen('opened')).toBeUndefined();
});

test('a user who is removed after the list was read, while the room is got ready, does not get it', async () => {
  const { store, user, roomId } = stage;
  await store.changeRoom({ roomId, actorId: user.userId, patch: { kind: 'private' }, now: 0 });
  const { bo, removeBo } = await withBo();
  const { findRoom } = store;
  store.findRoom = async (id) => {
    store.findRoom = findRoom;
    await removeBo();
    return await findRoom.call(store, id);
  };
  const { line, frames } = await stage.connect(bo, null);
  line.open.open(roomId, undefined);
  const seen = (type: string) => frames.find((frame) => frame.type === type);
  await expect.poll(() => seen('error'), { timeout: 20_000 }).toMatchObject({ code: 'room_not_found' });
  expect(seen('opened')).toBeUndefined();
});

test('a member who has left a public room since the list was read opens it as a guest of the room', async () => {
  const { store, roomId, bus } = stage;
  const { bo } = await withBo();
  const { findRoom } = store;
  store.findRoom = async (id) => {
    store.findRoom = findRoom;
    announce(bus, await store.leaveRoom({ roomId, userId: bo.userId, now: 0 }));
    return await findRoom.call(store, id);
  };
  const { line, frames } = await stage.connect(bo, null);
  line.open.open(roomId, undefined);
  const opened = () => frames.flatMap((frame) => (frame.type === 'opened' ? [frame] : []));
  await expect.poll(opened, { timeout: 20_000 }).toHaveLength(1);
  expect(opened()[0]?.room.me_role).toBeUndefined();
});

test('a membership that changed after the list was read, while the room is got ready, is read again', async () => {
  const { store, roomId } = stage;
  const { bo } = await withBo();
  const { findRoom, standing } = store;
  const listed = await store.entries({ userId: bo.userId, roomIds: [roomId], maxDms: 0 });
  const { line, frames } = await stage.connect(bo, null);
  let wasRead = false;
  store.findRoom = async (id) => {
    store.findRoom = findRoom;
    // The list has been sent: what the log says next comes before the seat is there.
    await expect.poll(() => frames.some(({ type }) => type === 'rooms'), { timeout: 20_000 }).toBe(true);
    for (const { member } of listed)
      line.tell({ kind: 'member', member: { ...member, userSeq: 1000, leftBy: null }, entry: undefined });
    store.standing = (where) => {
      wasRead = true;
      return standing.call(store, where);
    };
    return await findRoom.call(store, id);
  };
  line.open.open(roomId, undefined);
  await expect.poll(() => frames.some(({ type }) => type === 'opened'), { timeout: 20_000 }).toBe(true);
  expect(wasRead).toBe(true);
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

test('a member who is removed and added again keeps the room, also where the room says so after the log', async () => {
  const { store, user, roomId, bus, hub } = stage;
  const { bo } = await withBo();
  const { frames, line } = await stage.connect(bo);
  line.look(999);
  const change = { roomId, actorId: user.userId, userId: bo.userId, now: 0 };
  const removed = await store.removeMember(change);
  const added = await store.setMember({ ...change, role: 'member' });
  const { seq } = await store.userLog({ userId: bo.userId, after: 0, limit: 1 });
  bus.publish({ type: 'user_log', userId: bo.userId, seq });
  const typesOf = () => frames.map(({ type }) => type).filter((type) => type !== 'head');
  await expect.poll(typesOf, { timeout: 20_000 }).toEqual(['hello', 'rooms', 'me']);
  announce(bus, removed);
  announce(bus, added);
  await expect.poll(typesOf, { timeout: 20_000 }).toEqual(['hello', 'rooms', 'me', 'gone', 'room']);
  expect(frames.find(({ type }) => type === 'gone')).toMatchObject({ room_id: roomId, reason: 'removed' });
  await stage.say('still here');
  hub.lines.heads.tick();
  await expect.poll(() => frames.at(-1)?.type, { timeout: 20_000 }).toBe('head');
});

test('a user who has left a room hears nothing of it from the number on at which it is made private', async () => {
  const { store, roomId, bus } = stage;
  const { bo } = await withBo();
  const { frames, line } = await stage.connect(bo);
  line.open.open(roomId, undefined);
  const opened = () => frames.some(({ type }) => type === 'opened');
  await expect.poll(opened, { timeout: 20_000 }).toBe(true);
  // The log of the user is slow: the leave is stored, and the line does not know of it yet.
  const { userLog } = store;
  let goOn = () => {};
  const isSlow = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  store.userLog = async (query) => {
    await isSlow;
    return await userLog.call(store, query);
  };
  announce(bus, await store.leaveRoom({ roomId, userId: bo.userId, now: 0 }));
  await changeRoom({ kind: 'private' });
  await stage.say('secret');
  await expect.poll(() => frames.some(({ type }) => type === 'gone'), { timeout: 20_000 }).toBe(true);
  goOn();
  line.send('{"type":"pong"}');
  await expect.poll(() => frames.some(({ type }) => type === 'pong'), { timeout: 20_000 }).toBe(true);
  expect(JSON.stringify(frames)).not.toContain('secret');
});

test('a member whose log is slow when the room is made private gets it back', async () => {
  const { store, roomId, bus } = stage;
  const { bo } = await withBo();
  const { frames, line } = await stage.connect(bo);
  line.open.open(roomId, undefined);
  const typesOf = () => frames.map(({ type }) => type).filter((type) => type !== 'message');
  await expect.poll(typesOf, { timeout: 20_000 }).toEqual(['hello', 'rooms', 'opened']);
  const { userLog } = store;
  store.userLog = () => new Promise(() => {});
  const { seq } = await userLog.call(store, { userId: bo.userId, after: 0, limit: 1 });
  bus.publish({ type: 'user_log', userId: bo.userId, seq: seq + 1 });
  await changeRoom({ kind: 'private' });
  await expect.poll(typesOf, { timeout: 20_000 }).toEqual(['hello', 'rooms', 'opened', 'gone', 'room']);
});

test('nobody types in an archived room, and a room that is restored has typing again', async () => {
  const { user, roomId, bus } = stage;
  const { bo } = await withBo();
  const { frames, line } = await stage.connect(bo);
  line.open.open(roomId, undefined);
  line.look(roomId);
  const seen = (type: string) => frames.filter((frame) => frame.type === type).length;
  await expect.poll(() => seen('presence'), { timeout: 20_000 }).toBe(1);
  const type = () => bus.publish({ type: 'typing', roomId, ...user, isTyping: true });
  await changeRoom({ archived: true });
  type();
  await changeRoom({ archived: false });
  await expect.poll(() => seen('message'), { timeout: 20_000 }).toBe(2);
  expect(seen('typing')).toBe(0);
  type();
  await expect.poll(() => seen('typing'), { timeout: 20_000 }).toBe(1);
});
