import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import { ApiError } from '../api/api-error.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { RoomStage, soon, until } from '../testing/room-stage.ts';
import type { Room } from './room.ts';
import { isLive } from './room-state.ts';

const MANY = 60;

describe('a jump', () => {
  let stage: RoomStage;
  let server: FakeServer;
  let room: Room;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server } = stage);
    server.postMany(MANY, 'm');
    ({ room } = stage.enter());
    await until(room, isLive);
  });

  afterEach(() => stage.stop());

  const detached = () => room.state.detached?.messages.map(({ seq }) => seq) ?? [];
  const held = () => room.state.messages.map(({ seq }) => seq);
  const idOf = (seq: number) => seq * 10;

  test('to a message further back: what is around it is apart from the end of the room, which stays', async () => {
    expect(await room.jump({ id: idOf(20) })).toEqual({ id: idOf(20), seq: 20 });
    expect(room.state.jump).toEqual({ count: 1, target: { id: idOf(20), seq: 20 } });
    expect(detached()).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    expect(held()).toEqual([51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
    server.post('new');
    await until(room, ({ head }) => head === MANY + 1);
    expect(detached()).toHaveLength(10);
  });

  test('back to the end: at once, without a request', async () => {
    await room.jump({ id: idOf(20) });
    const reads = server.historyReads;
    room.toLatest();
    expect(room.state).toMatchObject({ detached: null, jump: { count: 2, target: null } });
    expect(held().at(-1)).toBe(MANY);
    expect(server.historyReads).toBe(reads);
  });

  test('to a message that is held needs no request', async () => {
    const reads = server.historyReads;
    expect(await room.jump({ id: idOf(55) })).toEqual({ id: idOf(55), seq: 55 });
    expect(room.state.detached).toBeNull();
    expect(server.historyReads).toBe(reads);
  });

  test('to a time: the first message of that time or later', async () => {
    expect(await room.jump({ time: new Date(30).toISOString() })).toMatchObject({ seq: 30 });
    expect(detached()).toContain(30);
    expect(await room.jump({ time: '2999-01-01T00:00:00.000Z' })).toMatchObject({ seq: MANY });
    expect(room.state.detached).toBeNull();
  });

  test('reads on in both directions, until it meets the end of the room', async () => {
    await room.jump({ id: idOf(20) });
    await room.loadDetached('older');
    expect(detached()[0]).toBe(5);
    for (let pages = 0; pages < 10 && room.state.detached !== null; pages++) await room.loadDetached('newer');
    expect(room.state.detached).toBeNull();
    expect(held()).toEqual(Array.from({ length: MANY - 4 }, (_, index) => index + 5));
    expect(room.state.hasOlder).toBe(true);
    await room.loadOlder();
    expect(held()[0]).toBe(1);
    expect(room.state.hasOlder).toBe(false);
  });

  test('to a message that is not there rejects, and nothing moves', async () => {
    await expect(room.jump({ id: 7 })).rejects.toMatchObject({ status: 404, message: 'message not found' });
    expect(room.state).toMatchObject({ detached: null, jump: { count: 0 }, meanwhile: null });
  });

  test('the last of several prevails, and going back drops one that is on its way', async () => {
    const [first, second] = await Promise.all([room.jump({ id: idOf(10) }), room.jump({ id: idOf(30) })]);
    expect([first, second]).toEqual([null, { id: idOf(30), seq: 30 }]);
    const late = room.jump({ id: idOf(10) });
    room.toLatest();
    await late;
    expect(room.state).toMatchObject({ detached: null, jump: { target: null } });
  });

  test('a changed message is shown as it is now, wherever it is held', async () => {
    await room.jump({ id: idOf(20) });
    const [old] = room.state.detached?.messages ?? [];
    if (old === undefined) throw new Error('nothing is held');
    server.tell({ ...old, content: 'edited', changed_seq: MANY + 1 });
    await until(room, ({ head }) => head === MANY + 1);
    expect(room.state.detached?.messages[0]).toMatchObject({ content: 'edited' });
    expect(held()).toHaveLength(10);
  });

  test('what may have missed changes is read again, until that succeeds', async () => {
    await room.jump({ id: idOf(20) });
    await stage.cut(room);
    server.postMany(RESUME_MAX_BEHIND + 1, 'missed');
    const target = server.log[19];
    if (target === undefined) throw new Error('there is no such message');
    server.log[19] = { ...target, content: 'edited meanwhile' };
    server.historyTrouble = new ApiError(503, 'service unavailable');
    stage.clock.advance(1000);
    await until(room, (state) => state.detached?.isStale === true);
    server.historyTrouble = null;
    const contents = () => room.state.detached?.messages.map(({ content }) => content) ?? [];
    await soon(() => {
      stage.clock.advance(1000);
      return contents().includes('edited meanwhile');
    });
    expect(room.state.jump.count).toBe(1);
    expect(room.state.detached?.isStale).toBe(false);
  });
});
