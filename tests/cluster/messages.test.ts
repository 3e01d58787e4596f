/** Messages between processes: what is posted on one is seen on the others, in one order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketResponse } from '../../protocol/rest/accounts.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom, issueTicket, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

describe.skipIf(whyNoCluster() !== undefined)('messages on three processes', () => {
  let cluster: Cluster;
  let ann: Login;
  let bo: Login;

  beforeAll(async () => {
    cluster = await Cluster.start({ processes: 3 });
    [ann, bo] = [await signUp(cluster.process(0)), await signUp(cluster.process(1))];
  });
  afterAll(async () => await cluster?.[Symbol.asyncDispose]());

  /** A line on each process, with the room open. */
  async function linesIn(roomId: number): Promise<LineClient[]> {
    const logins = [ann, bo, ann];
    const lines: LineClient[] = [];
    for (const [index, server] of cluster.processes.entries()) {
      const line = await LineClient.start(server, logins[index] ?? ann);
      await line.enter(roomId);
      lines.push(line);
    }
    return lines;
  }

  test('three that talk at once in one room: everybody gets everything, once, in the order of the log', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const lines = await linesIn(roomId);
    const count = 100;
    for (const [index, line] of lines.entries()) {
      for (let at = 0; at < count; at++) {
        line.send({ type: 'message', room_id: roomId, content: `${index}:${at}`, cid: `${index}:${at}` });
      }
    }
    for (const line of lines) {
      await line.until('all messages', () => line.events(roomId).length >= 3 * count || undefined);
    }
    const history = await readHistory(cluster.process(1), bo, roomId);
    const log = history.map(({ seq, content }) => ({ seq, content }));
    expect(log).toHaveLength(3 * count);
    for (const line of lines) {
      expect(line.events(roomId).map(({ seq, content }) => ({ seq, content }))).toEqual(log);
      await line.close();
    }
  });

  test('changes on lines of three processes: everybody sees the last one, and none after a later one', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const lines = await linesIn(roomId);
    const [first] = lines;
    const { id } = (await first?.post(roomId, 'one')) ?? { id: 0 };
    const emojis = ['🦊', '🐙', '🦀'];
    // What comes late over the bus is read, and has the message as it is then.
    const numbersOf = (line: LineClient) =>
      line.frames
        .flatMap((frame) => (frame.type === 'batch' ? frame.events : [frame]))
        .flatMap((frame) =>
          'changed_seq' in frame && frame.type !== 'changed' ? [frame.changed_seq ?? 0] : [],
        );
    for (let round = 0; round < 6; round++) {
      for (const [index, line] of lines.entries()) {
        const emoji = emojis[index] ?? '';
        line.send({ type: 'react', room_id: roomId, id, ref: `${round}`, emoji, on: round % 2 === 0 });
      }
    }
    for (const line of lines) {
      await line.until('all responses', () => line.of('changed').length >= 6 || undefined);
      await line.until('the last change', () => numbersOf(line).includes(19) || undefined);
    }
    for (const line of lines) {
      const numbers = numbersOf(line);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      await line.close();
    }
    expect((await readHistory(cluster.process(1), bo, roomId))[0]?.reactions).toBeUndefined();
  });

  test('a socket of chatroom.v1 gets what is posted on another process', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const near = await ChatClient.enter(cluster.process(0), ann, roomId);
    const far = await ChatClient.enter(cluster.process(1), bo, roomId);
    near.say('hello');
    expect(await far.waitFor('message')).toMatchObject({ content: 'hello', user_id: ann.userId });
    await Promise.all([near.close(), far.close()]);
  });

  test('a ticket of one process opens a socket on another, once', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const ticket = await issueTicket(cluster.process(0), bo, roomId);
    const socket = await ChatClient.open(cluster.process(2), roomId, ticket);
    await socket.waitFor('join', ({ user_id: userId }) => userId === bo.userId);
    await expect(ChatClient.open(cluster.process(1), roomId, ticket)).rejects.toThrow('401');
    await socket.close();
  });

  test('a client that comes back to another process gets exactly what it missed', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const talk = await LineClient.start(cluster.process(0), ann);
    const before = await LineClient.start(cluster.process(1), bo);
    await before.enter(roomId);
    for (let at = 1; at <= 5; at++) await talk.post(roomId, `message ${at}`);
    await before.until('the first five', () => before.events(roomId).length === 5 || undefined);
    const { epoch } = before.hello;
    await before.drop();
    for (let at = 6; at <= 9; at++) await talk.post(roomId, `message ${at}`);
    const after = await LineClient.start(cluster.process(2), bo, {
      start: { epoch, rooms: { [roomId]: 5 } },
    });
    expect((await after.enter(roomId, 5)).resumed).toBe(true);
    await talk.post(roomId, 'message 10');
    await after.until('the rest', () => after.events(roomId).length === 5 || undefined);
    expect(after.events(roomId).map(({ content }) => content)).toEqual(
      [6, 7, 8, 9, 10].map((at) => `message ${at}`),
    );
    await Promise.all([talk.close(), after.close()]);
  });

  test('a session that signed in on one process is good on the others', async () => {
    const { id: roomId } = await createRoom(cluster.process(0), ann);
    const body = { room_id: roomId };
    const reply = await post(cluster.process(2), '/api/v1/ws/tickets', body, { token: ann.accessToken });
    expectReply(reply, 200, ticketResponse);
  });
});
