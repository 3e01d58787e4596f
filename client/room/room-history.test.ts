import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import { contents, isDown, RoomStage, soon, until } from '../testing/room-stage.ts';
import { isLive, lastSeq, type RoomSnapshot, snapshotOf } from './room-state.ts';

describe('the history of a room', () => {
  let stage: RoomStage;
  let server: FakeServer;
  let clock: ManualClock;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server, clock } = stage);
  });

  afterEach(() => stage.stop());

  test('a failed read of history is repeated after Retry-After', async () => {
    server.postMany(2, 'old');
    server.trouble = new ApiError(503, 'service unavailable', { retryAfterMs: 4000 });
    const { room } = stage.enter();
    await until(room, isDown);
    server.trouble = null;
    clock.advance(4000);
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged);
  });

  test('history that was refused is read once the room opens after all', async () => {
    server.postMany(2, 'old');
    const { room, user, list } = stage.enter();
    list.subscribe(() => {});
    await until(room, isLive);
    room.leave();
    server.historyTrouble = new ApiError(404, 'room not found');
    server.openTrouble = { code: 'too_fast', retryable: true, retry_after_ms: 2000 };
    const again = user.enter(room.id);
    const reads = server.historyReads;
    await soon(() => server.historyReads > reads || again.state.connection.status === 'open');
    await soon(() => server.heardOf('open').length > 1);
    server.historyTrouble = null;
    server.openTrouble = null;
    await soon(() => clock.advance(2000) === undefined && isLive(again.state));
    expect(contents(again)).toEqual(server.logged);
  });

  test('history that was refused in a room that stays open is read again', async () => {
    server.postMany(2, 'old');
    const { room } = stage.enter();
    server.historyTrouble = new ApiError(404, 'room not found');
    await soon(() => server.historyReads > 0 && room.state.connection.status === 'open');
    server.historyTrouble = null;
    await soon(() => clock.advance(2000) === undefined && isLive(room.state));
    expect(contents(room)).toEqual(server.logged);
  });

  test('holds at most 1.5 times `keep` messages', async () => {
    const { room } = stage.enter(10);
    await until(room, isLive);
    server.postMany(100, 'm');
    await until(room, (state) => state.head === 100);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
    expect(room.state.hasOlder).toBe(true);
  });

  test('hold keeps every message from that seq on, until it is released', async () => {
    const { room } = stage.enter(10);
    await until(room, isLive);
    server.postMany(5, 'm');
    await until(room, (state) => state.head === 5);
    room.hold(3);
    server.postMany(95, 'm');
    await until(room, (state) => state.head === 100);
    expect(room.state.messages.some((message) => message.seq === 3)).toBe(true);
    room.hold(null);
    server.post('one more');
    await until(room, (state) => state.head === 101);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
  });

  test('hold ends after ten times `keep` new messages', async () => {
    const { room } = stage.enter(10);
    await until(room, isLive);
    server.postMany(5, 'm');
    await until(room, (state) => state.head === 5);
    room.hold(3);
    server.postMany(100, 'm');
    await until(room, (state) => state.head === 105);
    expect(room.state.messages[0]?.seq).toBeLessThanOrEqual(3);
    server.postMany(900, 'm');
    await until(room, (state) => state.head === 1005);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
  });

  test('hold works before the head of the room is known', async () => {
    server.postMany(200, 'old');
    const { room } = stage.enter(10);
    room.hold(191);
    await until(room, isLive);
    server.postMany(50, 'm');
    await until(room, (state) => state.head === 250);
    expect(room.state.messages[0]?.seq).toBe(191);
  });

  /** The snapshot of a visit that is over. */
  async function kept(): Promise<RoomSnapshot | null> {
    const { room } = stage.enter();
    await until(room, isLive);
    room.stop();
    return snapshotOf(room.state, 5);
  }

  test('shows the snapshot at once, and the connection brings what came since', async () => {
    server.postMany(15, 'old');
    const snapshot = await kept();
    server.postMany(5, 'missed');
    const reads = server.historyReads;
    const { room, heard } = stage.enter(1000, async () => snapshot);
    await until(room, (state) => state.messages.length > 0);
    expect(room.state).toMatchObject({ loaded: false, hasOlder: true, connections: 0 });
    expect(contents(room)).toEqual(server.logged.slice(10, 15));
    await until(room, isLive);
    expect(room.state.loaded).toBe(true);
    expect(contents(room)).toEqual(server.logged.slice(10));
    expect(server.positions.at(-1)).toBe(15);
    // They were posted before this visit, and reading them took no page.
    expect(heard).toEqual([]);
    expect(server.historyReads).toBe(reads);
    server.post('new');
    await until(room, (state) => state.head === 21);
    expect(heard).toEqual(['new']);
  });

  test('without WebSockets, each attempt reads what is new, and the first connection brings the rest', async () => {
    server.postMany(15, 'old');
    const snapshot = await kept();
    server.postMany(3, 'missed');
    server.admits = false;
    const { room, heard } = stage.enter(1000, async () => snapshot);
    await until(room, (state) => lastSeq(state) === 18);
    expect(room.state.loaded).toBe(true);
    expect(contents(room)).toEqual(server.logged.slice(10));
    await until(room, isDown);
    server.postMany(2, 'more');
    clock.advance(2000);
    await until(room, (state) => lastSeq(state) === 20);
    await until(room, isDown);
    server.post('last');
    server.admits = true;
    clock.advance(3000);
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged.slice(10));
    expect(heard).toEqual([]);
    server.post('new');
    await until(room, (state) => state.head === 22);
    expect(heard).toEqual(['new']);
  });

  test('without WebSockets, messages that are being read stay, and the first connection fills the gap', async () => {
    server.postMany(10, 'old');
    const { room } = stage.enter();
    await until(room, isLive);
    room.hold(3);
    server.admits = false;
    await stage.cut(room);
    server.postMany(25, 'missed');
    const reads = server.historyReads;
    clock.advance(1000);
    await soon(() => server.historyReads > reads);
    await until(room, isDown);
    expect(contents(room)).toEqual(server.logged.slice(0, 10));
    // A server that does not respond is not asked again and again.
    server.historyTrouble = new ApiError(503, 'service unavailable');
    clock.advance(2000);
    await soon(() => server.historyReads > reads + 1);
    await until(room, isDown);
    server.trouble = server.historyTrouble;
    clock.advance(60_000);
    await until(room, isDown);
    expect(server.historyReads).toBe(reads + 2);
    server.trouble = null;
    server.historyTrouble = null;
    server.admits = true;
    clock.advance(15_000);
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged);
  });

  test('drops a snapshot of another database', async () => {
    server.postMany(15, 'old');
    const snapshot = await kept();
    server.restore(3);
    const { room } = stage.enter(1000, async () => snapshot);
    await until(room, (state) => isLive(state) && state.loaded);
    expect(contents(room)).toEqual(server.logged);
  });

  test.each([
    ['does not exist', async () => null],
    ['fails to load', async () => Promise.reject(new Error('no disk'))],
    ['hangs while loading', () => new Promise<null>(() => {})],
  ])('a snapshot that %s is ignored', async (_what, restore) => {
    server.postMany(3, 'old');
    const { room } = stage.enter(1000, restore);
    clock.advance(1000);
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged);
  });
});
