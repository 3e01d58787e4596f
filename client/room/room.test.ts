import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../testing/fake-server.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import { contents, RoomStage, soon, until } from '../testing/room-stage.ts';
import { isLive } from './room-state.ts';

describe('a room', () => {
  let stage: RoomStage;
  let server: FakeServer;
  let clock: ManualClock;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server, clock } = stage);
  });

  afterEach(() => stage.stop());

  test('shows the latest messages, then new ones; listeners receive what is posted after entering', async () => {
    server.postMany(15, 'old');
    const { room, heard } = stage.enter();
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged.slice(-10));
    server.post('new');
    await until(room, (state) => state.messages.at(-1)?.content === 'new');
    expect(heard).toEqual(['new']);
    expect(room.state.hasOlder).toBe(true);
    await room.loadOlder();
    expect(contents(room)).toEqual(server.logged);
    expect(room.state.hasOlder).toBe(false);
  });

  test('receives what is posted while the first page is loading', async () => {
    server.postMany(3, 'old');
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const { room, heard } = stage.enter();
    await until(room, (state) => state.stream !== null);
    server.post('meanwhile');
    await until(room, (state) => state.ahead.length === 1);
    open();
    await until(room, isLive);
    expect(contents(room)).toEqual(server.logged);
    expect(heard).toEqual(['meanwhile']);
  });

  test('receives each message posted after entering, however many arrive before the first page', async () => {
    server.postMany(3, 'old');
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const { room, heard } = stage.enter();
    await until(room, (state) => state.stream !== null);
    server.postMany(40, 'before the page');
    await soon(() => heard.length === 40);
    // The page has the last ten of them, and the state starts with it.
    server.gate = Promise.resolve();
    open();
    await until(room, isLive);
    server.postMany(1, 'after the page');
    await until(room, (state) => state.head === 44);
    expect(heard).toEqual(server.logged.slice(3));
  });

  test('a room whose second open is refused for now is opened again, and is in sight again', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    await soon(() => server.heardOf('here').length === 1);
    server.tell({
      type: 'error',
      room_id: room.id,
      code: 'service_unavailable',
      content: 'no',
      retryable: true,
    });
    await soon(() => !room.isOpen);
    server.post('meanwhile');
    await soon(() => clock.advance(2000) === undefined && server.heardOf('open').length === 2);
    await until(room, ({ messages }) => messages.at(-1)?.content === 'meanwhile');
    await soon(() => server.heardOf('here').length === 2);
  });

  test.each([
    { code: 'too_fast', retryable: true },
    // An older server does not know the frame of a change.
    { code: 'unknown_type', retryable: false },
  ])('a refusal in an open room that closes nothing does not open it again: $code', async (refusal) => {
    const { room } = stage.enter();
    await until(room, isLive);
    server.tell({ type: 'error', room_id: room.id, content: 'no', ...refusal });
    server.post('later');
    await until(room, ({ messages }) => messages.at(-1)?.content === 'later');
    clock.advance(5000);
    expect(room.isOpen).toBe(true);
    expect(server.heardOf('open')).toHaveLength(1);
  });

  test('a room that was opened meanwhile is not opened once more for an earlier refusal', async () => {
    server.openTrouble = { code: 'service_unavailable', retryable: true, retry_after_ms: 2000 };
    const { room } = stage.enter();
    await soon(() => server.heardOf('open').length === 1);
    server.openTrouble = null;
    server.tell({ type: 'gone', room_id: room.id, reason: 'left', user_seq: 1 });
    await until(room, isLive);
    clock.advance(5000);
    server.post('later');
    await until(room, ({ messages }) => messages.at(-1)?.content === 'later');
    expect(server.heardOf('open')).toHaveLength(2);
  });

  test('a listener that leaves the room receives nothing more', async () => {
    const { room, heard } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    server.postMany(5, 'missed');
    room.on('message', ({ seq }) => seq === 2 && room.leave());
    clock.advance(1000);
    await soon(() => room.isOver);
    expect(heard).toEqual(['missed 1', 'missed 2']);
  });

  test('messages sent before the connection opens are delivered in order, with their outcomes', async () => {
    const { room } = stage.enter();
    const sent = [room.send('one'), room.send('two')];
    await soon(() => room.state.pending.length === 2);
    expect(room.state.pending.map((entry) => entry.status)).toEqual(['queued', 'queued']);
    expect(await Promise.all(sent)).toMatchObject([
      { outcome: 'stored', seq: 1 },
      { outcome: 'stored', seq: 2 },
    ]);
    await until(room, (state) => state.messages.length === 2);
    expect(contents(room)).toEqual(['one', 'two']);
    expect(room.state.pending).toEqual([]);
  });

  test.each([true, false])(
    'a connection lost between sending and ack (stored: %s): the message is stored once',
    async (stores) => {
      const { room } = stage.enter();
      await until(room, isLive);
      server.acks = false;
      server.stores = stores;
      const sent = room.send('once');
      await soon(() => server.received === 1);
      await stage.cut(room);
      server.acks = true;
      server.stores = true;
      await stage.comesBack(room);
      expect(await sent).toMatchObject({ outcome: 'stored', seq: 1 });
      await until(room, (state) => state.messages.length === 1);
      expect(server.logged).toEqual(['once']);
      expect(room.state.pending).toEqual([]);
      // A message that the resumed connection has brought is not sent again.
      expect(server.received).toBe(stores ? 1 : 2);
    },
  );

  test('content that the server would refuse is refused at once', async () => {
    const { room } = stage.enter();
    for (const content of ['', ' \n', 'x'.repeat(4001), '\0', '\ud800']) {
      expect(await room.send(content)).toEqual({ outcome: 'refused', code: 'invalid_content' });
    }
    expect(room.state.pending).toEqual([]);
  });

  test('after leave unsent messages are still delivered, then the connection ends', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    const sent = room.send('last words');
    room.leave();
    expect(room.isOver).toBe(true);
    clock.advance(1000);
    expect(await sent).toMatchObject({ outcome: 'stored' });
    await soon(() => server.peers.size === 0);
    expect(server.logged).toEqual(['last words']);
  });

  test('leave without unsent messages ends the connection at once', async () => {
    const { room, user } = stage.enter();
    await until(room, isLive);
    room.leave();
    room.leave();
    expect(user.line.state.status).toBe('closed');
  });

  test('a room that is gone refuses everything unsent', async () => {
    server.logs.delete(1);
    const { room } = stage.enter();
    expect(await room.send('anybody?')).toEqual({ outcome: 'refused', code: 'room_not_found' });
    expect(room.state.connection).toEqual({ status: 'closed', reason: 'room_gone' });
    expect(room.state.pending).toMatchObject([{ status: 'failed', refusal: 'room_not_found' }]);
  });

  test('closed resolves with the reason when the connection has ended for good', async () => {
    server.logs.delete(1);
    const { room } = stage.enter();
    expect(await room.closed()).toBe('room_gone');
    server.logs.set(1, []);
    const left = stage.enter().room;
    left.leave();
    expect(await left.closed()).toBe('stopped');
  });

  test('stop shows listeners the final state with its reason, and nothing after it', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    const states: unknown[] = [];
    room.on('state', ({ connection }) => states.push(connection));
    room.stop('signed_out');
    room.stop('stopped');
    expect(states).toEqual([{ status: 'closed', reason: 'signed_out' }]);
    expect(room.state.connection).toEqual({ status: 'closed', reason: 'signed_out' });
  });

  test('a typing notice expires 3 s after the last frame', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    server.tell({ type: 'typing', room_id: 1, user_id: 8, username: 'u8', is_typing: true });
    await until(room, (state) => state.typing.length === 1);
    clock.advance(2999);
    expect(room.state.typing).toHaveLength(1);
    clock.advance(1);
    expect(room.state.typing).toHaveLength(0);
  });

  test('a typing notice expires although the clock was set back', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    server.tell({ type: 'typing', room_id: 1, user_id: 8, username: 'u8', is_typing: true });
    await until(room, (state) => state.typing.length === 1);
    clock.set(-3_600_000);
    server.tell({ type: 'typing', room_id: 1, user_id: 9, username: 'u9', is_typing: true });
    await until(room, (state) => state.typing.length === 2);
    clock.advance(3000);
    clock.advance(3000);
    expect(room.state.typing).toHaveLength(0);
  });
});
