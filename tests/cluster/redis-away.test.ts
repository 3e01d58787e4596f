/** Redis may stop, lose everything or hang: what is committed arrives all the same, a little later. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '../../protocol/constants.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { addMember, createRoom, type Login, logIn, signUp } from '../support/users.ts';

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)('Redis goes away and comes back', () => {
  let cluster: Cluster;
  let ann: Login;
  let bo: Login;
  let roomId: number;
  let annLine: LineClient;
  let boLine: LineClient;

  beforeAll(async () => {
    cluster = await Cluster.start({ processes: 2 });
    [ann, bo] = await Promise.all([signUp(cluster.process(0)), signUp(cluster.process(1))]);
    ({ id: roomId } = await createRoom(cluster.process(0), ann));
    await addMember(cluster.process(0), ann, roomId, bo.userId);
    [annLine, boLine] = [
      await LineClient.start(cluster.process(0), ann),
      await LineClient.start(cluster.process(1), bo),
    ];
    await Promise.all([annLine.look(roomId), boLine.look(roomId)]);
  });
  afterAll(async () => await cluster?.[Symbol.asyncDispose]());

  afterEach(async () => {
    await hasBus();
  });

  /** Posts on one process, and waits until the other has it. */
  async function crosses(content: string): Promise<void> {
    await annLine.post(roomId, content);
    await boLine.waitFor('message', (message) => message.content === content);
    await boLine.post(roomId, `${content}, too`);
    await annLine.waitFor('message', (message) => message.content === `${content}, too`);
  }

  /** Waits until the bus carries events: typing has no log, so nothing else brings it. */
  async function hasBus(): Promise<void> {
    const pairs = [
      [annLine, boLine],
      [boLine, annLine],
    ] as const;
    for (const [from, to] of pairs) {
      const mark = to.mark();
      await eventually('typing', () => {
        for (const isTyping of [true, false]) {
          from.send({ type: 'typing', room_id: roomId, is_typing: isTyping });
        }
        return to.of('typing', mark).length > 0 || undefined;
      });
    }
  }

  test('killed: messages arrive, rooms open, heads come, and new members get the room; then all is as before', async () => {
    await crosses('before');
    await cluster.redis.kill();
    await crosses('while it is away');
    const other = await createRoom(cluster.process(0), ann);
    await addMember(cluster.process(0), ann, other.id, bo.userId);
    await boLine.waitFor('room', ({ room }) => room.id === other.id);
    const { seq } = await annLine.post(other.id, 'in brief');
    await boLine.waitFor('head', (head) => head.room_id === other.id && head.seq === seq);
    await boLine.enter(other.id);
    await cluster.redis.restart();
    await hasBus();
    await crosses('after');
  });

  test('hangs: messages arrive, and nothing waits for it; then all is as before', async () => {
    cluster.redis.pause();
    await crosses('while it hangs');
    const { id } = await createRoom(cluster.process(1), ann);
    await boLine.enter(id);
    await annLine.post(id, 'in a room that was opened then');
    await boLine.waitFor('message', ({ content }) => content === 'in a room that was opened then');
    cluster.redis.resume();
    await hasBus();
    await crosses('after it hung');
  });

  test('is away: /ready stays 200, and its broker is unhealthy until it is back', async () => {
    const readyWith = (broker: string) =>
      eventually(`a broker that is ${broker}`, async () => {
        const { status, json } = await send(cluster.process(0), '/ready');
        expect(status).toBe(200);
        return JSON.stringify(json).includes(`"broker":"${broker}"`) ? true : undefined;
      });
    await readyWith('healthy');
    await cluster.redis.kill();
    await readyWith('unhealthy');
    await cluster.redis.restart();
    await readyWith('healthy');
  });

  test('loses everything that it has: nothing changes', async () => {
    await cluster.redis.run(['FLUSHALL']);
    await cluster.redis.run(['SCRIPT', 'FLUSH']);
    await crosses('after FLUSHALL');
  });

  test('cuts all connections: messages arrive', async () => {
    for (const type of ['normal', 'pubsub']) {
      await cluster.redis.run(['CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes']);
      await crosses(`after ${type}`);
    }
  });

  test('brings garbage on every channel: it is dropped, with one warning for all', async () => {
    const channels = (await cluster.redis.run(['PUBSUB', 'CHANNELS', 'roomful:*'])) as string[];
    for (const channel of channels) await cluster.redis.run(['PUBLISH', channel, '{"v":1,"head":"x"}']);
    await crosses('after garbage');
    for (const server of cluster.processes) {
      const warned = await server.logged(({ where }) => where !== undefined);
      expect(warned).toMatchObject([{ level: 40, count: 1 }]);
    }
  });

  test('a session that ends while it is away ends on the other process, too', async () => {
    const second = await logIn(cluster.process(0), bo.username);
    const line = await LineClient.start(cluster.process(1), second);
    await cluster.redis.kill();
    const body = { refresh_token: second.refreshToken };
    const { status } = await post(cluster.process(0), '/api/v1/auth/logout', body);
    expect(status).toBe(204);
    expect((await line.closed).code).toBe(CLOSE.sessionRevoked);
    const reply = await send(cluster.process(1), '/api/v1/rooms', { token: second.accessToken });
    expect(reply.status).toBe(401);
    await cluster.redis.restart();
  });
});
