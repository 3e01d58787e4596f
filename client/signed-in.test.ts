import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLive } from './room/room-state.ts';
import type { FakeServer } from './testing/fake-server.ts';
import { contents, RoomStage, soon, until } from './testing/room-stage.ts';

describe('one line for all rooms', () => {
  let stage: RoomStage;
  let server: FakeServer;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server } = stage);
    server.logs.set(2, []);
  });

  afterEach(() => stage.stop());

  const here = () => server.heardOf('here').map((frame) => frame.room_id);

  test('frames go to the room that they name', async () => {
    const { user } = stage.signIn();
    const [one, two] = [user.enter(1), user.enter(2)];
    await Promise.all([until(one, isLive), until(two, isLive)]);
    server.post('in one');
    server.post('in two', 8, undefined, 2);
    await until(two, ({ messages }) => messages.length === 1);
    expect([contents(one), contents(two)]).toEqual([['in one'], ['in two']]);
    expect(server.tickets).toBe(1);
  });

  test('what notifies the user and what other devices did about it is reported, of any room', async () => {
    const { user, notifications } = stage.signIn();
    const heard: unknown[] = [];
    notifications.on('inbox', (frame) => heard.push(frame));
    notifications.on('notify', (frame) => heard.push(frame));
    notifications.on('saved', (frame) => heard.push(frame));
    notifications.on('thread_follow', (frame) => heard.push(frame));
    await until(user.enter(1), isLive);
    const of = { room_id: 2, message_id: 7, reason: 'mention' } as const;
    const entry = {
      ...of,
      type: 'inbox',
      seq: 3,
      created_at: '2026-01-01T00:00:00.000Z',
      user_seq: 1,
    } as const;
    const notice = { ...of, type: 'notify', title: 'ann in lobby', body: 'hello' } as const;
    server.tell(entry);
    // From another device.
    const saved = { type: 'saved', room_id: 2, message_id: 7, note: '', user_seq: 2 } as const;
    const thread = { room_id: 2, thread_id: 7, following: true, read_seq: 3 } as const;
    const follow = { type: 'thread_follow', ...thread, user_seq: 3 } as const;
    for (const frame of [notice, saved, follow]) server.tell(frame);
    await soon(() => heard.length === 4);
    expect(heard).toEqual([entry, notice, saved, follow]);
  });

  test('messages to a room that is not entered are delivered without entering it', async () => {
    const { user } = stage.signIn();
    const outcome = user.outbox.add(2, 'hello', null);
    expect(await outcome).toMatchObject({ outcome: 'stored', seq: 1 });
    expect(server.heardOf('open')).toEqual([]);
    await soon(() => user.line.state.status === 'closed');
  });

  test('the name of the server and the stamp of its emoji are those of the last hello; an older server has none', async () => {
    const { user } = stage.signIn();
    expect(user.hello).toBeNull();
    const names = ['Acme', undefined, 'Other'] as const;
    for (const name of names) {
      server.serverName = name;
      server.emojiStamp = name;
      await until(user.enter(1), isLive);
      expect([user.hello?.server_name, user.hello?.emoji]).toEqual([name, name]);
      server.drop();
      await soon(() => user.line.state.status === 'waiting');
      user.line.retryNow();
    }
  });

  test('a refusal reaches its message, and no other', async () => {
    const { user } = stage.signIn();
    const [gone, stored] = [user.outbox.add(9, 'lost', null), user.outbox.add(2, 'kept', null)];
    expect(await gone).toEqual({ outcome: 'refused', code: 'room_not_found' });
    expect(await stored).toMatchObject({ outcome: 'stored' });
  });

  test('a message without an ack is sent again after a drop, with the same cid, and stored once', async () => {
    const { user } = stage.signIn();
    server.acks = false;
    const outcome = user.outbox.add(2, 'once', null);
    await soon(() => server.received === 1);
    server.acks = true;
    server.drop();
    await soon(() => user.line.state.status === 'waiting');
    stage.clock.advance(1000);
    expect(await outcome).toMatchObject({ outcome: 'stored', seq: 1 });
    expect(server.received).toBe(2);
    expect(server.logOf(2)).toHaveLength(1);
  });

  test('without a call of setHere, the room that was entered last is in sight', async () => {
    const { user } = stage.signIn();
    await until(user.enter(1), isLive);
    const two = user.enter(2);
    await until(two, isLive);
    await soon(() => here().length === 2);
    two.leave();
    await soon(() => here().length === 3);
    expect(here()).toEqual([1, 2, 1]);
  });

  test('setHere says which one is in sight, and a new connection repeats it', async () => {
    const { user } = stage.signIn();
    const one = user.enter(1);
    user.setHere(1);
    await until(one, isLive);
    await until(user.enter(2), isLive);
    user.setHere(null);
    user.setHere(1);
    await soon(() => here().length === 3);
    await stage.cut(one);
    await stage.comesBack(one);
    await soon(() => here().length === 4);
    expect(here()).toEqual([1, null, 1, 1]);
  });

  test('a room that the user is removed from is gone, the others stay', async () => {
    const { user } = stage.signIn();
    const [one, two] = [user.enter(1), user.enter(2)];
    await Promise.all([until(one, isLive), until(two, isLive)]);
    server.tell({ type: 'gone', room_id: 1, reason: 'removed', user_seq: 1 });
    expect(await one.closed()).toBe('room_gone');
    expect(two.isOver).toBe(false);
  });

  test.each(['removed', 'deleted'] as const)('a room that is gone says how: %s', async (reason) => {
    const { user } = stage.signIn();
    const one = user.enter(1);
    await until(one, isLive);
    server.tell({ type: 'gone', room_id: 1, reason, user_seq: 1 });
    await one.closed();
    expect(one.state.connection).toEqual({ status: 'closed', reason: 'room_gone', gone: reason });
  });

  test.each(['left', 'made_private', 'no_access'] as const)(
    'a room that the server has closed, and refuses, says how: %s',
    async (reason) => {
      const { user } = stage.signIn();
      const one = user.enter(1);
      await until(one, isLive);
      server.logs.delete(1);
      server.tell({ type: 'gone', room_id: 1, reason, user_seq: 1 });
      await one.closed();
      expect(one.state.connection).toEqual({ status: 'closed', reason: 'room_gone', gone: reason });
    },
  );

  test('a room that was closed and may still be read opens again; what closed it is no reason later', async () => {
    const { user } = stage.signIn();
    const one = user.enter(1);
    await until(one, isLive);
    server.tell({ type: 'gone', room_id: 1, reason: 'made_private', user_seq: 1 });
    await soon(() => server.heardOf('open').length === 2);
    await until(one, isLive);
    await soon(() => one.isOpen);
    server.logs.delete(1);
    await stage.cut(one);
    stage.clock.advance(1000);
    await one.closed();
    expect(one.state.connection).toEqual({ status: 'closed', reason: 'room_gone' });
  });

  test('a room that cannot be opened yet is opened a moment later', async () => {
    const { user } = stage.signIn();
    server.openTrouble = { code: 'too_fast', retryable: true, retry_after_ms: 1500 };
    const one = user.enter(1);
    await soon(() => server.heardOf('open').length === 1 && stage.clock.nextInMs === 1500);
    server.openTrouble = null;
    stage.clock.advance(1500);
    await until(one, isLive);
  });

  test('a refusal of something else does not close a room', async () => {
    const { user } = stage.signIn();
    const one = user.enter(1);
    await until(one, isLive);
    server.tell({ type: 'error', room_id: 1, content: 'no', code: 'invalid_frame', retryable: false });
    server.post('still here');
    await until(one, ({ messages }) => messages.length === 1);
  });

  test('a public room that the user has left as a member stays readable', async () => {
    const { user } = stage.signIn();
    const one = user.enter(1);
    await until(one, isLive);
    server.tell({ type: 'gone', room_id: 1, reason: 'left', user_seq: 1 });
    await soon(() => server.heardOf('open').length === 2);
    await until(one, isLive);
    server.logs.delete(1);
    server.tell({ type: 'gone', room_id: 1, reason: 'left', user_seq: 2 });
    expect(await one.closed()).toBe('room_gone');
  });

  test('people are watched across connections, with the versions that are known', async () => {
    const { user, people } = stage.signIn();
    const one = user.enter(1);
    people.watch([8, 9]);
    await until(one, isLive);
    await soon(() => server.heardOf('watch').length === 1);
    server.tell({ type: 'people', online: [8], offline: [] });
    await soon(() => people.state.online.has(8));
    await stage.cut(one);
    await stage.comesBack(one);
    await soon(() => server.heardOf('watch').length === 2);
    expect(people.state.online.size).toBe(0);
    expect(server.heardOf('watch').at(-1)).toEqual({ type: 'watch', users: { 8: 0, 9: 0 } });
  });
});
