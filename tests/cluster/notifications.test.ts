/** Notifications over several processes: one of them decides, and each has lines of the user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { addMember, createRoom, type Login, signUp } from '../support/users.ts';

describe.skipIf(whyNoCluster() !== undefined)('notifications on two processes', () => {
  let cluster: Cluster;
  let ann: Login;
  let bo: Login;

  beforeAll(async () => {
    cluster = await Cluster.start({ processes: 2 });
    [ann, bo] = await Promise.all([signUp(cluster.process(0)), signUp(cluster.process(1))]);
  });
  afterAll(async () => await cluster?.[Symbol.asyncDispose]());

  const mentionsOf = async (roomId: number) => {
    const reply = await send(cluster.process(1), '/api/v1/me/inbox', { token: bo.accessToken });
    const { entries } = expectReply(reply, 200, inboxResponse);
    const here = entries.filter(({ message, reason }) => message.room_id === roomId && reason === 'mention');
    return here.map(({ message }) => message.content);
  };

  test('reach the lines of all processes, wherever the message was posted, and the inbox once', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    await addMember(cluster.process(0), ann, roomId, bo.userId);
    const lines = [
      await LineClient.start(cluster.process(0), bo),
      await LineClient.start(cluster.process(1), bo),
    ];
    const texts = [0, 1].map((index) => `@${bo.username} from ${index}`);
    for (const [index, text] of texts.entries()) {
      const talk = await LineClient.start(cluster.process(index), ann);
      const { id } = await talk.post(roomId, text);
      for (const line of lines) {
        const notice = await line.waitFor('notify', ({ message_id }) => message_id === id);
        expect(notice).toMatchObject({ room_id: roomId, body: text });
        await line.waitFor('inbox', ({ message_id }) => message_id === id);
      }
      await talk.close();
    }
    expect(await mentionsOf(roomId)).toEqual(texts.toReversed());
    await Promise.all(lines.map((line) => line.close()));
  });

  test('are decided by the other process once one was killed', async () => {
    const { id: roomId } = await createRoom(cluster.process(1), ann);
    await addMember(cluster.process(1), ann, roomId, bo.userId);
    // The first process was started first, and has taken the lease.
    await cluster.process(0).kill();
    const talk = await LineClient.start(cluster.process(1), ann);
    const text = `@${bo.username} again`;
    await talk.post(roomId, text);
    await expect.poll(() => mentionsOf(roomId), { timeout: 60_000 }).toEqual([text]);
    await talk.close();
  });
});
