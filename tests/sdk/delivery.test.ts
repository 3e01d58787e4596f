/** Messages are stored once, in order, and received once by everyone, whatever happens to server and clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type ChatClient, memoryOutbox, memoryStorage, type Room } from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { PASSWORD, uniqueName } from '../support/users.ts';
import { closeClients, ear, isOpen, newClient, newcomer } from './chat.ts';

let server: ServerProcess;
afterEach(async () => {
  closeClients();
  await server.dispose();
});

/** Two users in a room that one of them created. */
async function pair(env: Record<string, string> = {}) {
  server = await ServerProcess.start({ env });
  const [ann, bo] = await Promise.all([newcomer(server), newcomer(server)]);
  const { id } = await ann.createRoom(uniqueName('room'));
  const [annRoom, boRoom] = [ann.enter(id), bo.enter(id)];
  await Promise.all([isOpen(annRoom), isOpen(boRoom)]);
  return { ann, bo, id, annRoom, boRoom };
}

async function history(client: ChatClient, roomId: number): Promise<string[]> {
  const contents: string[] = [];
  for (let afterId = 0; ; ) {
    const page = await client.api.history(roomId, { limit: 200, afterId: Math.max(1, afterId) });
    if (afterId === 0)
      contents.push(
        ...(await client.api.history(roomId, { limit: 1, beforeId: 2 })).messages.map((m) => m.content),
      );
    contents.push(...page.messages.map((message) => message.content));
    afterId = page.messages.at(-1)?.id ?? 0;
    if (!page.has_more) return contents;
  }
}

const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `message ${from + i}`);
const sendAll = (room: Room, contents: string[]) => contents.map((content) => room.send(content));

describe('nothing is lost and nothing is duplicated', () => {
  test('when the server is killed in the middle of sending, twice', async () => {
    const { ann, id, annRoom, boRoom } = await pair({ MESSAGES_PER_SECOND: '0' });
    const { heard, hears } = ear(boRoom);
    const sent = [];
    for (let life = 0; life < 2; life++) {
      sent.push(...sendAll(annRoom, words(life * 200, life * 200 + 100)));
      await eventually('some acks', () => (annRoom.state.pending.length < 90 ? true : undefined));
      sent.push(...sendAll(annRoom, words(life * 200 + 100, life * 200 + 200)));
      await server.kill();
      await server.restart();
    }
    const outcomes = await Promise.all(sent);
    expect(outcomes.filter(({ outcome }) => outcome !== 'stored')).toEqual([]);
    await hears(400);
    expect(heard).toEqual(words(0, 400));
    expect(await history(ann, id)).toEqual(words(0, 400));
    expect(annRoom.state).toMatchObject({ pending: [], acked: [] });
  });

  test('when the server stops responding for longer than the ping timeout', async () => {
    const { ann, id, annRoom, boRoom } = await pair();
    const { heard, hears } = ear(boRoom);
    await annRoom.send('before');
    process.kill(server.pid, 'SIGSTOP');
    const sent = sendAll(annRoom, words(0, 5));
    // 5 s without an ack and 5 s without a pong.
    await eventually('the connection is given up', () =>
      annRoom.state.connection.status === 'open' ? undefined : true,
    );
    expect(annRoom.state.pending.map(({ status }) => status)).toEqual(Array(5).fill('queued'));
    process.kill(server.pid, 'SIGCONT');
    await Promise.all(sent);
    await hears(6);
    expect(heard).toEqual(['before', ...words(0, 5)]);
    expect(await history(ann, id)).toEqual(heard);
  });

  test('during a planned restart: each client returns at its time, and receives what it missed', async () => {
    const { annRoom, boRoom } = await pair();
    const { heard, hears } = ear(boRoom);
    const presence: number[] = [];
    boRoom.on('presence', ({ left }) => presence.push(left.length));
    await annRoom.send('before');
    const waits: number[] = [];
    annRoom.on('connection', (state) => {
      if (state.status === 'waiting') waits.push(state.retryAt - Date.now());
    });
    const stopped = server.stop();
    const sent = annRoom.send('meanwhile');
    await stopped;
    await server.restart();
    expect(await sent).toMatchObject({ outcome: 'stored' });
    await hears(2);
    expect(heard).toEqual(['before', 'meanwhile']);
    // The server's delay, not the backoff: 1 s and some milliseconds for two sockets.
    expect(waits[0]).toBeLessThanOrEqual(1100);
    // No leave was reported.
    expect(presence.every((left) => left === 0)).toBe(true);
  });

  test('when more is sent at once than the server allows: it is sent within the limits, in order', async () => {
    const { annRoom, boRoom } = await pair({ MESSAGES_PER_SECOND: '100', MESSAGE_BURST: '20' });
    const { heard, hears } = ear(boRoom);
    const outcomes = await Promise.all(sendAll(annRoom, words(0, 120)));
    expect(outcomes.map((outcome) => (outcome.outcome === 'stored' ? outcome.seq : outcome))).toEqual(
      words(0, 120).map((_, index) => index + 1),
    );
    await hears(120);
    expect(heard).toEqual(words(0, 120));
  });

  test('when two clients of one user share an outbox and both send its messages', async () => {
    server = await ServerProcess.start();
    const store = memoryOutbox();
    const shared = { outbox: () => ({ ...store, close: () => {} }), storage: memoryStorage() };
    const first = await newcomer(server, shared);
    const { id } = await first.createRoom(uniqueName('room'));
    await server.kill();
    const sent = sendAll(first.enter(id), words(0, 20));
    await sleep(10);
    // Another tab, opened while the server was down.
    const second = newClient(server, shared);
    const there = second.enter(id);
    await eventually('the other tab has it too', () =>
      there.state.pending.length === 20 ? true : undefined,
    );
    await server.restart();
    await Promise.all(sent);
    await eventually('the other tab is rid of it', () =>
      there.state.pending.length === 0 ? true : undefined,
    );
    expect(await history(first, id)).toEqual(words(0, 20));
  });
});

describe('the outbox belongs to the user', () => {
  test('unsent messages of other rooms are delivered, and those rooms are left again', async () => {
    const { ann, bo, id, annRoom } = await pair();
    const other = await ann.createRoom(uniqueName('other'));
    const boThere = bo.enter(other.id);
    await isOpen(boThere);
    const { heard, hears } = ear(boThere);
    await server.kill();
    const sent = sendAll(ann.enter(other.id), ['one', 'two']);
    ann.enter(other.id).leave();
    const here = annRoom.send('here');
    await server.restart();
    expect(await Promise.all([...sent, here])).toMatchObject(Array(3).fill({ outcome: 'stored' }));
    await hears(2);
    expect(heard).toEqual(['one', 'two']);
    // Bo is alone there: the connection that only delivered has left.
    await eventually('the visitor has left', async () => {
      const there = (await ann.browseRooms()).find((room) => room.id === other.id);
      return there?.online === 1 ? true : undefined;
    });
    expect(await history(ann, id)).toEqual(['here']);
  });

  test('unsent messages of an earlier process are delivered after sign-in, without entering a room', async () => {
    server = await ServerProcess.start();
    const kept = memoryOutbox();
    const outbox = () => ({ ...kept, close: () => {} });
    const name = uniqueName('user');
    const before = newClient(server, { outbox });
    await before.signUp(name, PASSWORD);
    const { id } = await before.createRoom(uniqueName('room'));
    await server.kill();
    const sent = sendAll(before.enter(id), words(0, 3));
    await sleep(10);
    before.close();
    expect(await Promise.all(sent)).toEqual(Array(3).fill({ outcome: 'kept' }));
    await server.restart();
    const after = newClient(server, { outbox });
    await after.signIn(name, PASSWORD);
    await eventually('all is delivered', async () =>
      (await history(after, id)).length === 3 ? true : undefined,
    );
    expect(await history(after, id)).toEqual(words(0, 3));
    expect(await kept.load()).toEqual([]);
  });

  test('signing out empties it', async () => {
    server = await ServerProcess.start();
    const kept = memoryOutbox();
    const client = await newcomer(server, { outbox: () => ({ ...kept, close: () => {} }) });
    const { id } = await client.createRoom(uniqueName('room'));
    const room = client.enter(id);
    await isOpen(room);
    await server.kill();
    const sent = room.send('never mind');
    await sleep(10);
    await client.signOut();
    expect(await sent).toEqual({ outcome: 'discarded' });
    expect(await kept.load()).toEqual([]);
    expect(client.user).toBeNull();
  });
});

describe('a session that ends', () => {
  test('in another client closes the rooms, and keeps unsent messages', async () => {
    server = await ServerProcess.start();
    const kept = memoryOutbox();
    const storage = memoryStorage();
    const client = await newcomer(server, { storage, outbox: () => ({ ...kept, close: () => {} }) });
    const { id } = await client.createRoom(uniqueName('room'));
    const room = client.enter(id);
    await isOpen(room);
    const closings: string[] = [];
    room.on('connection', (state) => {
      if (state.status === 'closed') closings.push(state.reason);
    });
    const token = storage.getItem('chat_refresh');
    await fetch(`${server.url}/api/v1/auth/logout`, {
      method: 'POST',
      body: JSON.stringify({ refresh_token: token }),
    });
    await eventually('signed out', () => (client.session.state.status === 'signed_out' ? true : undefined));
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'expired' });
    expect(client.user).toBeNull();
    expect(closings).toEqual(['signed_out']);
    expect(() => client.enter(id)).toThrow('Sign in before entering a room.');
  });
});
