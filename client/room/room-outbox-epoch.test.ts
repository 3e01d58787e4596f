import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OTHER_DATABASE } from '../outbox/outcome.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { RoomStage, soon, until } from '../testing/room-stage.ts';
import { isLive } from './room-state.ts';

describe('unsent messages are bound to the database that they were written for', () => {
  let stage: RoomStage;
  let server: FakeServer;

  beforeEach(async () => {
    stage = await RoomStage.start();
    ({ server } = stage);
  });

  afterEach(() => stage.stop());

  test('a message for this database is sent, in the same one, after any number of connections', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    const sent = room.send('still here');
    await stage.comesBack(room);
    expect(await sent).toMatchObject({ outcome: 'stored' });
  });

  test('a message for another database is not sent: it fails with other_database', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    const sent = room.send('for the board of directors');
    server.restore(3);
    await stage.comesBack(room);
    expect(await sent).toEqual({ outcome: 'refused', code: OTHER_DATABASE });
    expect(room.state.pending).toMatchObject([
      { content: 'for the board of directors', status: 'failed', refusal: OTHER_DATABASE },
    ]);
    expect(server.received).toBe(0);
  });

  test('retry sends it into the database that the room is connected to, discard removes it', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    await stage.cut(room);
    void room.send('wanted');
    void room.send('unwanted');
    server.restore(1);
    await stage.comesBack(room);
    await until(room, ({ pending }) => pending.every(({ status }) => status === 'failed'));
    const [wanted, unwanted] = room.state.pending;
    room.retry(wanted?.cid ?? '');
    room.discard(unwanted?.cid ?? '');
    await until(room, ({ pending }) => pending.length === 0);
    expect(server.logged).toEqual(['restored 1', 'wanted']);
  });

  test('a message that the other database holds was stored there: it does not fail', async () => {
    const { room } = stage.enter();
    await until(room, isLive);
    server.acks = false;
    void room.send('said');
    await soon(() => server.received === 1);
    // A backup that was taken after the message was stored.
    server.epoch = 'e2';
    await stage.cut(room);
    await stage.comesBack(room);
    await until(room, ({ pending }) => pending.length === 0);
    expect(server.logged).toEqual(['said']);
  });

  test('a message written without a known database is bound to the first one', async () => {
    server.stores = false;
    const { room } = stage.enter();
    void room.send('early');
    await soon(() => server.received === 1);
    expect([...stage.items.values()]).toMatchObject([{ content: 'early', epoch: 'e1' }]);
    await stage.cut(room);
    server.restore(0);
    server.stores = true;
    await stage.comesBack(room);
    await until(room, ({ pending }) => pending[0]?.refusal === OTHER_DATABASE);
    expect(server.logged).toEqual([]);
  });
});
