/** Presence, typing and logout over several processes: every process shows what all of them together have. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '../../protocol/constants.ts';
import type { ServerFrameV1 } from '../../protocol/frames/v1.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { post } from '../support/http.ts';
import { createRoom, findRoom, issueTicket, type Login, logIn, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const LEAVES_WITHIN_MS = 60_000;

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)('presence on three processes', () => {
  let cluster: Cluster;
  let ann: Login;
  let bo: Login;
  let witness: Login;
  let roomId: number;

  beforeAll(async () => {
    cluster = await Cluster.start({ processes: 3 });
    [ann, bo, witness] = await Promise.all([
      signUp(cluster.process(0)),
      signUp(cluster.process(1)),
      signUp(cluster.process(2)),
    ]);
    ({ id: roomId } = await createRoom(cluster.process(0), ann));
  });
  afterAll(async () => await cluster?.[Symbol.asyncDispose]());

  const enter = (index: number, login: Login, room = roomId) =>
    ChatClient.enter(cluster.process(index), login, room);

  /** The joins and leaves of this user that a client has received, in order. */
  const changesOf = (client: ChatClient, { userId }: Login) =>
    client.frames
      .filter(isChange)
      .filter((frame) => frame.user_id === userId)
      .map(({ type, online }) => [type, online]);

  /** What each process says in GET /rooms. */
  async function counts(): Promise<(number | undefined)[]> {
    const running = cluster.processes.filter(({ isRunning }) => isRunning);
    return await Promise.all(running.map(async (server) => (await findRoom(server, ann, roomId))?.online));
  }

  test('a user with sockets on two processes joins once and leaves once, and all processes count the same', async () => {
    const far = await enter(2, witness);
    const sockets = [await enter(0, ann), await enter(1, ann)];
    await far.waitFor('join', (join) => join.user_id === ann.userId);
    const last = await enter(1, bo);
    await far.waitFor('join', (join) => join.user_id === bo.userId);
    expect(await counts()).toEqual([3, 3, 3]);
    await sockets[0]?.close();
    await last.close();
    await far.waitFor('leave', (leave) => leave.user_id === bo.userId);
    expect(await counts()).toEqual([2, 2, 2]);
    await sockets[1]?.close();
    await far.waitFor('leave', (leave) => leave.user_id === ann.userId);
    expect(changesOf(far, ann)).toEqual([
      ['join', 2],
      ['leave', 1],
    ]);
    await far.close();
  });

  test('typing is seen on the other processes, and a message that is posted on another process ends it', async () => {
    const far = await enter(2, witness);
    const [typist, elsewhere] = [await enter(0, ann), await enter(1, ann)];
    typist.send({ type: 'typing', is_typing: true });
    await far.waitFor('typing', (typing) => typing.user_id === ann.userId && typing.is_typing);
    elsewhere.say('posted elsewhere');
    await far.waitFor('typing', (typing) => typing.user_id === ann.userId && !typing.is_typing);
    for (const client of [typist, elsewhere, far]) await client.close();
  });

  test('a logout on one process ends the tokens and the sockets of the session on the others', async () => {
    const login = await logIn(cluster.process(0), bo.username);
    const socket = await ChatClient.enter(cluster.process(1), login, roomId);
    const ticket = await issueTicket(cluster.process(2), login, roomId);
    await post(cluster.process(0), '/api/v1/auth/logout', { refresh_token: login.refreshToken });
    expect(await socket.closed).toMatchObject({ code: CLOSE.sessionRevoked });
    await eventually('the token is refused everywhere', async () => {
      const replies = cluster.processes.map((server) =>
        issueTicket(server, login, roomId).catch(() => undefined),
      );
      return (await Promise.all(replies)).every((reply) => reply === undefined) || undefined;
    });
    await expect(ChatClient.open(cluster.process(2), roomId, ticket)).rejects.toThrow('401');
  });

  test('Redis is killed and comes back empty: nobody leaves or joins, and who comes then is seen', async () => {
    const clients = [await enter(0, ann), await enter(1, bo), await enter(2, witness)];
    await eventually(
      'everybody is counted',
      async () => (await counts()).every((count) => count === 3) || undefined,
    );
    const marks = clients.map((client) => client.mark());
    await cluster.redis.kill();
    await Promise.all(
      cluster.processes.map((server) => server.logged(({ msg }) => String(msg).startsWith('Redis is away'))),
    );
    expect(await counts()).toEqual([3, 3, 3]);
    await cluster.redis.restart();
    const late = await signUp(cluster.process(1));
    const newcomer = await enter(1, late);
    for (const client of clients) await client.waitFor('join', (join) => join.user_id === late.userId);
    for (const [index, client] of clients.entries()) {
      expect(client.frames.slice(marks[index]).filter(isChange)).toMatchObject([
        { type: 'join', user_id: late.userId },
      ]);
    }
    await newcomer.close();
    for (const client of clients) await client.waitFor('leave', (leave) => leave.user_id === late.userId);
    await cluster.redis.run(['FLUSHALL']);
    expect(await counts()).toEqual([3, 3, 3]);
    await Promise.all(clients.map((client) => client.close()));
  });

  test('all processes stop as planned and start again: those who come back within 15 s were never away', async () => {
    const room = await createRoom(cluster.process(0), ann);
    const before = [await enter(0, ann, room.id), await enter(1, bo, room.id)];
    await before[0]?.waitFor('join', (join) => join.user_id === bo.userId);
    await Promise.all(cluster.processes.map((server) => server.stop()));
    await Promise.all(cluster.processes.map((server) => server.restart()));
    const back = await enter(2, ann, room.id);
    const last = await enter(0, bo, room.id);
    // A message is heard after all that was announced before it.
    last.say('back');
    await back.waitFor('message', (message) => message.content === 'back');
    expect(changesOf(back, bo)).toEqual([]);
    await Promise.all([back.close(), last.close()]);
  });

  test('of a process that stops as planned and one that is killed, those leave who do not come back within 15 s', async () => {
    const far = await enter(2, witness);
    const crowd = await Promise.all(Array.from({ length: 4 }, () => signUp(cluster.process(2))));
    const clients = await Promise.all(crowd.map((login, index) => enter(index % 2, login)));
    for (const { userId } of crowd) await far.waitFor('join', (join) => join.user_id === userId);
    const mark = far.mark();
    await Promise.all([cluster.process(0).stop(), cluster.process(1).kill()]);
    await Promise.all(clients.map(({ closed }) => closed));
    const back = await Promise.all(crowd.slice(0, 2).map((login) => enter(2, login)));
    await eventually(
      'two leave',
      () => far.frames.slice(mark).filter(isChange).length >= 2 || undefined,
      LEAVES_WITHIN_MS,
    );
    const gone = crowd.slice(2).map(({ userId }) => ({ type: 'leave', user_id: userId }));
    const changes = far.frames.slice(mark).filter(isChange);
    expect(changes.map(({ type, user_id }) => ({ type, user_id }))).toEqual(expect.arrayContaining(gone));
    await Promise.all([cluster.process(0).restart(), cluster.process(1).restart()]);
    expect(await counts()).toEqual([3, 3, 3]);
    expect(far.frames.slice(mark).filter(isChange)).toHaveLength(2);
    await Promise.all([far, ...back].map((client) => client.close()));
  });
});

function isChange(frame: ServerFrameV1): frame is Extract<ServerFrameV1, { type: 'join' | 'leave' }> {
  return frame.type === 'join' || frame.type === 'leave';
}
