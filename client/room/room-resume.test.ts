import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import { ApiError } from '../api/api-error.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import { contents, isDown, RoomStage, soon, until } from '../testing/room-stage.ts';
import { isLive } from './room-state.ts';

describe('a room that reconnects', () => {
  let stage: RoomStage;
  let server: FakeServer;
  let clock: ManualClock;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server, clock } = stage);
  });

  afterEach(() => stage.stop());

  test('receives what is posted while history is refused, and what a lost connection missed', async () => {
    server.postMany(5, 'old');
    server.historyTrouble = new ApiError(429, 'too many requests', { retryAfterMs: 3000 });
    const { room, heard, resets } = stage.enter();
    await until(room, (state) => state.stream !== null);
    server.postMany(30, 'said');
    await soon(() => heard.length === 30);
    await stage.cut(room);
    server.postMany(60, 'missed');
    clock.advance(1000);
    await soon(() => heard.length === 90);
    expect(server.positions).toEqual([null, 35]);
    server.historyTrouble = null;
    clock.advance(3000);
    await until(room, isLive);
    server.postMany(1, 'new');
    await until(room, (state) => state.head === 96);
    expect(heard).toEqual(server.logged.slice(5));
    expect(resets).toEqual([]);
  });

  test('resumes from its position after reconnecting, and misses nothing', async () => {
    server.postMany(2, 'old');
    const { room, heard } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    server.postMany(35, 'missed');
    await stage.comesBack(room);
    expect(server.positions).toEqual([2, 2]);
    expect(contents(room)).toEqual(server.logged);
    expect(heard).toEqual(server.logged.slice(2));
    expect(server.historyReads).toBe(1);
  });

  test('resumes when a message is missing in the stream', async () => {
    server.postMany(2, 'old');
    const { room } = stage.enter();
    await until(room, isLive);
    server.log.push({ ...server.post('told'), seq: 4, id: 40, content: 'not told' });
    server.post('told again');
    await until(room, isDown);
    expect(contents(room)).toEqual(server.logged.slice(0, 3));
    await stage.comesBack(room);
    expect(contents(room)).toEqual(server.logged);
  });

  test('a reset reloads history, and later messages reach listeners', async () => {
    server.postMany(2, 'old');
    const { room, heard, resets } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    server.restore(20);
    await stage.comesBack(room);
    expect(resets).toEqual([0]);
    expect(contents(room)).toEqual(server.logged.slice(-10));
    server.post('new');
    await until(room, (state) => state.messages.at(-1)?.content === 'new');
    expect(heard).toEqual(['new']);
  });

  test('a connection lost between a reset and the new history: only new messages reach listeners', async () => {
    server.postMany(20, 'old');
    const { room, heard, resets } = stage.enter();
    await until(room, isLive);
    server.historyTrouble = new ApiError(503, 'service unavailable');
    await stage.cut(room);
    server.restore(5);
    clock.advance(1000);
    await soon(() => resets.length === 1);
    await stage.cut(room);
    clock.advance(2000);
    await until(room, (state) => state.connection.status === 'open');
    expect(contents(room)).toEqual([]);
    expect(heard).toEqual([]);
    server.historyTrouble = null;
    server.postMany(15, 'new');
    await soon(() => heard.length === 15);
    clock.advance(4000);
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged.slice(-10));
    expect(heard).toEqual(server.logged.slice(5));
    expect(resets).toEqual([0]);
  });

  test('a page of older messages that was requested before a reset is dropped', async () => {
    server.postMany(20, 'old');
    const { room, heard } = stage.enter();
    await until(room, isLive);
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const older = room.loadOlder();
    await stage.cut(room);
    server.restore(20);
    server.gate = Promise.resolve();
    await stage.comesBack(room);
    open();
    await older;
    expect(contents(room)).toEqual(server.logged.slice(-10));
    expect(heard).toEqual([]);
  });

  test('another database is a reset, even for an empty room', async () => {
    const { room, heard, resets } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    server.restore(3);
    await stage.comesBack(room);
    // A position in another database means nothing.
    expect(server.positions.at(-1)).toBeNull();
    expect(resets).toEqual([0]);
    expect(heard).toEqual([]);
    expect(contents(room)).toEqual(server.logged);
  });

  test('too far behind is a reset; later messages reach listeners although the page contains them', async () => {
    server.postMany(3, 'old');
    const { room, heard, resets } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    server.postMany(RESUME_MAX_BEHIND + 1, 'missed');
    server.historyTrouble = new ApiError(503, 'service unavailable');
    clock.advance(1000);
    await soon(() => resets.length === 1);
    server.postMany(12, 'new');
    await soon(() => heard.length === 12);
    await stage.cut(room);
    server.historyTrouble = null;
    server.postMany(2, 'newer');
    clock.advance(2000);
    await until(room, isLive);
    await soon(() => heard.length === 14);
    expect(heard).toEqual(server.logged.slice(-14));
  });
});
