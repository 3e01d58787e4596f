import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../testing/fake-server.ts';
import { ME } from '../testing/messages.ts';
import { RoomStage, soon } from '../testing/room-stage.ts';
import { countOf, entry } from '../testing/rooms-actions.ts';
import { roomsSnapshotOf } from './rooms-state.ts';

describe('the list of rooms', () => {
  let stage: RoomStage;
  let server: FakeServer;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server } = stage);
  });

  afterEach(() => stage.stop());

  async function listening(rooms = [entry(1, 10, 4)]) {
    server.entries.splice(0, server.entries.length, ...rooms);
    const signedIn = stage.signIn();
    const cancel = signedIn.list.subscribe(() => {});
    await soon(() => signedIn.list.state.phase === 'live');
    return { ...signedIn, cancel };
  }

  test('connects while somebody listens', async () => {
    const { user, list, cancel } = await listening();
    expect(countOf(list.state)).toBe('6');
    expect(server.heardOf('start')).toEqual([{ type: 'start', epoch: 'e1' }]);
    cancel();
    expect(user.line.state.status).toBe('closed');
  });

  test('starts again from what it knows, and a good start keeps its counts', async () => {
    const { list } = await listening();
    server.drop();
    await soon(() => list.state.phase === 'behind');
    server.entries.length = 0;
    stage.clock.advance(1000);
    await soon(() => server.heardOf('start').length === 2 && list.state.phase === 'live');
    expect(server.heardOf('start')[1]).toEqual({ type: 'start', epoch: 'e1', user_seq: 0, rooms: { 1: 10 } });
    expect(countOf(list.state)).toBe('6');
  });

  test('begins with the list of an earlier visit', async () => {
    const { list, user } = await listening();
    const snapshot = roomsSnapshotOf(list.state);
    user.stop('stopped');
    const next = stage.signIn({ restoreRooms: async () => snapshot });
    next.list.subscribe(() => {});
    await soon(() => next.list.state.rooms.size === 1);
    await soon(() => server.heardOf('start').length === 2);
    expect(server.heardOf('start')[1]).toMatchObject({ epoch: 'e1', rooms: { 1: 10 } });
  });

  test('sends the marks of a room at once, and then at most each 3 s', async () => {
    const { list } = await listening();
    for (const seq of [5, 6, 7]) list.markRead(1, seq);
    await soon(() => server.heardOf('read').length === 1);
    stage.clock.advance(3000);
    await soon(() => list.state.marks.size === 0);
    expect(server.heardOf('read').map(({ seq }) => seq)).toEqual([5, 7]);
  });

  test('sends the mark of a room that is left at once', async () => {
    const { list } = await listening();
    for (const seq of [5, 7]) list.markRead(1, seq);
    list.flush(1);
    await soon(() => server.heardOf('read').length === 2);
  });

  test('keeps a mark until it is confirmed: across connections, and across visits', async () => {
    const { list, user } = await listening();
    server.confirms = false;
    list.markRead(1, 10);
    await soon(() => server.heardOf('read').length === 1);
    server.drop();
    await soon(() => list.state.phase === 'behind');
    stage.clock.advance(1000);
    await soon(() => server.heardOf('start').length === 2);
    expect(server.heardOf('start')[1]?.read).toEqual([{ room_id: 1, seq: 10, known: 0 }]);
    user.stop('stopped');
    server.confirms = true;
    const next = stage.signIn();
    next.list.subscribe(() => {});
    await soon(() => next.list.state.phase === 'live' && next.list.state.marks.size === 0);
    expect(server.entries[0]?.me.read_seq).toBe(10);
    expect(stage.storage.getItem(`chat_marks:${ME.id}`)).toBeNull();
  });

  test('forgets the marks of another database', async () => {
    const { list, user } = await listening();
    server.confirms = false;
    list.markRead(1, 10);
    user.stop('stopped');
    server.epoch = 'e2';
    const next = stage.signIn();
    next.list.subscribe(() => {});
    await soon(() => next.list.state.phase === 'live');
    expect(server.heardOf('start').at(-1)).toEqual({ type: 'start', epoch: 'e2' });
    expect(next.list.state.marks.size).toBe(0);
    expect(next.list.state.rooms.get(1)).toMatchObject({ readSeq: 4 });
  });

  test('sends a mark again that was refused', async () => {
    const { list } = await listening();
    server.readTrouble = { code: 'too_fast', retryable: true, retry_after_ms: 2000 };
    list.markRead(1, 10);
    await soon(() => server.heardOf('read').length === 1);
    server.readTrouble = null;
    await soon(() => stage.clock.advance(100) === undefined && list.state.marks.size === 0);
    expect(server.heardOf('read')).toHaveLength(2);
  });

  test('marks all as read, and undoes it', async () => {
    const { list } = await listening([entry(1, 10, 4), entry(2, 3, 3), entry(3, 8, 0)]);
    const undo = list.markAllRead();
    expect([1, 2, 3].map((id) => countOf(list.state, id))).toEqual(['0', '0', '0']);
    await soon(() => list.state.marks.size === 0);
    undo();
    await soon(() => list.state.marks.size === 0);
    expect(server.entries.map(({ me }) => me.read_seq)).toEqual([4, 3, 0]);
  });

  test('asks for the counts of the rooms in sight, at most 20 at a time, and once', async () => {
    const rooms = Array.from({ length: 30 }, (_, index) => {
      const { unread: _unread, ...uncounted } = entry(index + 1, 10, 4);
      return uncounted;
    });
    const { list } = await listening(rooms);
    expect(server.heardOf('unread')).toEqual([]);
    server.entries.splice(0, 30, ...rooms.map((room) => ({ ...room, unread: 6 })));
    list.look(rooms.map(({ room }) => room.id));
    await soon(() => countOf(list.state, 30) === '6');
    expect(server.heardOf('unread').map(({ room_ids }) => room_ids.length)).toEqual([20, 10]);
    list.look(rooms.map(({ room }) => room.id));
    expect(server.heardOf('unread')).toHaveLength(2);
  });

  test('asks again for counts that were refused', async () => {
    const { list } = await listening([{ ...entry(1, 10, 4), unread: undefined }]);
    server.unreadTrouble = { code: 'too_fast', retryable: true, retry_after_ms: 2000 };
    list.look([1]);
    await soon(() => server.heardOf('unread').length === 1);
    server.unreadTrouble = null;
    server.entries.splice(0, 1, entry(1, 10, 4));
    await soon(() => stage.clock.advance(2000) === undefined && countOf(list.state) === '6');
    expect(server.heardOf('unread')).toHaveLength(2);
  });

  test('asks again for counts that were refused after other entries had come', async () => {
    const { list } = await listening([{ ...entry(1, 10, 4), unread: undefined }]);
    // What comes first says nothing of the room.
    server.entries.splice(0);
    list.look([1]);
    await soon(() => server.heardOf('unread').length === 1);
    server.entries.push(entry(1, 10, 4));
    const code = 'service_unavailable';
    server.tell({ type: 'error', content: 'no', code, retryable: true, retry_after_ms: 2000 });
    await soon(() => stage.clock.advance(2000) === undefined && countOf(list.state) === '6');
    expect(server.heardOf('unread')).toHaveLength(2);
  });

  test('asks again for counts that were refused while the next ones were asked for', async () => {
    const uncounted = (id: number) => ({ ...entry(id, 10, 4), unread: undefined });
    const { list } = await listening([uncounted(1), uncounted(2)]);
    // What comes first says nothing of either room.
    server.entries.splice(0);
    list.look([1]);
    await soon(() => server.heardOf('unread').length === 1);
    server.unreadTrouble = { code: 'service_unavailable', retryable: true, retry_after_ms: 2000 };
    list.look([1, 2]);
    await soon(() => server.heardOf('unread').length === 2);
    server.unreadTrouble = null;
    server.entries.push(entry(1, 10, 4), entry(2, 10, 4));
    await soon(() => stage.clock.advance(2000) === undefined && countOf(list.state, 1) === '6');
    expect(countOf(list.state, 2)).toBe('6');
  });

  test('asks for the count of a room that was gone and has come back', async () => {
    const uncounted = { ...entry(1, 10, 4), unread: undefined };
    const { list } = await listening([uncounted]);
    list.look([1]);
    await soon(() => server.heardOf('unread').length === 1);
    server.tell({ type: 'gone', room_id: 1, reason: 'removed', user_seq: 1 });
    server.tell({ type: 'room', ...uncounted, user_seq: 2 });
    await soon(() => server.heardOf('unread').length === 2);
  });
});
