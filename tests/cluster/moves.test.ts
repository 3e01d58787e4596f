/** Clients that move to a process which has not yet heard of everything that they have: they go on without a reload. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { LineClient } from '../support/line-client.ts';
import { addMember, createRoom, type Login, signUp } from '../support/users.ts';

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)(
  'moves to a process that is behind',
  () => {
    let cluster: Cluster;
    let ann: Login;
    let bo: Login;
    let near: LineClient;

    beforeAll(async () => {
      cluster = await Cluster.start({ processes: 2 });
      [ann, bo] = [await signUp(cluster.process(0)), await signUp(cluster.process(1))];
      near = await LineClient.start(cluster.process(0), ann);
    });
    afterAll(async () => await cluster?.[Symbol.asyncDispose]());

    test('a client whose events are still on their way to the process is resumed', async () => {
      const { id: roomId } = await createRoom(cluster.process(0), ann);
      const [other, mover] = [
        await LineClient.start(cluster.process(1), bo),
        await LineClient.start(cluster.process(1), ann, { start: { epoch: near.hello.epoch } }),
      ];
      // Both processes have the room open, so neither reads it again.
      for (const line of [near, other]) await line.enter(roomId);
      cluster.redis.pause();
      for (const content of ['one', 'two', 'three', 'four']) {
        const { seq } = await near.post(roomId, content);
        const { resumed } = await mover.enter(roomId, seq);
        expect(resumed).toBe(true);
      }
      cluster.redis.resume();
      await other.waitFor('message', (message) => message.content === 'four');
      expect(other.events(roomId).map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four']);
      expect(mover.of('reset')).toEqual([]);
      await Promise.all([other.close(), mover.close()]);
    });

    test('a client that claims more than the room has is reset', async () => {
      const { id: roomId } = await createRoom(cluster.process(0), ann);
      const mover = await LineClient.start(cluster.process(1), ann, { start: { epoch: near.hello.epoch } });
      const { seq } = await near.post(roomId, 'one');
      expect((await mover.enter(roomId, seq + 1_000_000)).resumed).toBe(false);
      await mover.close();
    });

    test('a client whose memberships are still on their way to the process gets no list anew', async () => {
      const { id: roomId } = await createRoom(cluster.process(0), ann);
      const epoch = near.hello.epoch;
      // The process serves the log of this user, so it does not read it again.
      const other = await LineClient.start(cluster.process(1), bo);
      const bosNear = await LineClient.start(cluster.process(0), bo);
      const mover = await LineClient.open(cluster.process(1), bo);
      cluster.redis.pause();
      await addMember(cluster.process(0), ann, roomId, bo.userId);
      const { user_seq: userSeq } = await bosNear.waitFor('room', ({ room }) => room.id === roomId);
      mover.send({ type: 'start', epoch, user_seq: userSeq });
      expect((await mover.waitFor('rooms')).complete).toBe(false);
      cluster.redis.resume();
      await Promise.all([other, bosNear, mover].map((line) => line.close()));
    });
  },
);
