import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChatClient, type ChatClientOptions } from './chat-client.ts';
import type { WebSocketLike } from './connection/web-socket.ts';
import { memoryOutbox, type OutboxItem } from './outbox/outbox-store.ts';
import { ManualClock } from './testing/manual-clock.ts';

/** A WebSocket that never opens. */
class DeadSocket implements WebSocketLike {
  readonly readyState = 0;
  send(): void {}
  close(): void {}
  addEventListener(): void {}
}

const login = { access_token: 'a', refresh_token: 'r', expires_in: 900, user: { id: 1, username: 'ann' } };
const item = (roomId: number): OutboxItem => {
  return { cid: `c${roomId}`, roomId, content: 'hello', createdAt: roomId, refusal: null };
};
/** Waits until all pending promises have settled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a client', () => {
  let clock: ManualClock;
  let clients: ChatClient[];
  /** The number of requests for each path. */
  let asked: Map<string, number>;
  /** The server's response: a status and a body, or null for none. */
  let response: (path: string) => [number, unknown] | null;

  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    clients = [];
    asked = new Map();
    response = (path) =>
      path.endsWith('tickets') ? null : [200, { messages: [], has_more: false, epoch: 'e1', seq: 0 }];
  });

  afterEach(() => {
    for (const client of clients) client.close();
  });

  const server: typeof fetch = async (input) => {
    const path = String(input).replace(/.*\/api\/v1/, '');
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const [status, body] = path === '/auth/login' ? [200, login] : (response(path) ?? []);
    if (status === undefined) return new Promise(() => {});
    return new Response(status === 204 ? null : JSON.stringify(body), { status });
  };

  async function signedIn(options: Partial<ChatClientOptions> = {}): Promise<ChatClient> {
    const client = new ChatClient({
      url: 'http://server',
      WebSocket: DeadSocket,
      fetch: server,
      clock,
      random: () => 0,
      ...options,
    });
    clients.push(client);
    await client.signIn('ann', 'right horse');
    return client;
  }

  test('has one connection, however many rooms are entered or have unsent messages', async () => {
    const store = memoryOutbox();
    for (let roomId = 101; roomId <= 120; roomId++) await store.put(item(roomId));
    const client = await signedIn({ outbox: () => store });
    await settled();
    for (let roomId = 1; roomId <= 6; roomId++) void client.enter(roomId).send('hello');
    await settled();
    expect(asked.get('/ws/tickets')).toBe(1);
  });

  test('connects to nothing while there is nothing to do', async () => {
    const client = await signedIn();
    await settled();
    expect(asked.get('/ws/tickets')).toBeUndefined();
    const cancel = client.rooms.subscribe(() => {});
    await settled();
    expect(asked.get('/ws/tickets')).toBe(1);
    cancel();
  });

  test('the fifty-first room takes the place of the one that was used least recently', async () => {
    const client = await signedIn();
    const first = client.enter(1);
    const second = client.enter(2);
    for (let roomId = 3; roomId <= 50; roomId++) client.enter(roomId);
    client.enter(1);
    client.enter(51);
    expect(await second.closed()).toBe('displaced');
    expect(first.isOver).toBe(false);
  });

  test('a 401 right after a renewal is followed by the usual backoff', async () => {
    response = (path) =>
      path === '/auth/refresh'
        ? [
            200,
            { access_token: `a${asked.get(path)}`, refresh_token: `r${asked.get(path)}`, expires_in: 900 },
          ]
        : [401, { error: 'invalid token' }];
    const store = memoryOutbox();
    await store.put(item(1));
    const client = await signedIn({ outbox: () => store });
    await settled();
    expect(asked.get('/auth/refresh')).toBe(1);
    clock.advance(1000);
    await settled();
    expect(asked.get('/auth/refresh')).toBe(2);
    expect(client.session.state.status).toBe('signed_in');
  });

  test('a proxy without a server behind it ends neither the room nor the login, and loses no message', async () => {
    response = () => [404, '<h1>not here</h1>'];
    const client = await signedIn();
    const room = client.enter(1);
    void room.send('hello');
    await settled();
    expect(room.state.connection.status).toBe('waiting');
    expect(room.state.pending).toMatchObject([{ content: 'hello', status: 'queued' }]);
  });

  test('a room reports why it is closed: stopped, or signed out', async () => {
    for (const end of ['stopped', 'signed_out'] as const) {
      const client = await signedIn();
      const room = client.enter(1);
      const states: unknown[] = [];
      room.on('connection', (connection) => states.push(connection));
      response = () => [204, null];
      if (end === 'stopped') client.close();
      else await client.signOut();
      expect(room.state.connection).toEqual({ status: 'closed', reason: end });
      expect(states).toEqual([{ status: 'closed', reason: end }]);
    }
  });

  test('a room that was left can be entered again', async () => {
    const client = await signedIn();
    const room = client.enter(1);
    room.leave();
    expect(room.state.connection).toEqual({ status: 'closed', reason: 'stopped' });
    const again = client.enter(1);
    expect(again).not.toBe(room);
    expect(client.enter(1)).toBe(again);
    expect(again.state.connection.status).toBe('connecting');
  });

  test.each([Number.NaN, 0, -1, 1.5, 2 ** 53])('room id %s is a TypeError', async (roomId) => {
    const client = await signedIn();
    expect(() => client.enter(roomId)).toThrow(`roomId must be a positive integer; it is ${roomId}`);
  });

  test('a name or password that is not text is a TypeError, not a request', async () => {
    const client = new ChatClient({ url: 'http://server', WebSocket: DeadSocket, fetch: server });
    clients.push(client);
    // As a program in JavaScript does whose environment lacks the variable.
    const unset = undefined as unknown as string;
    await expect(client.signIn('ann', unset)).rejects.toThrow('password must be text; it is undefined');
    await expect(client.signUp(unset, 'right horse')).rejects.toThrow(TypeError);
    expect(asked.size).toBe(0);
  });

  test('a closed client refuses to enter a room', async () => {
    const client = await signedIn();
    client.close();
    expect(() => client.enter(1)).toThrow('closed');
  });

  test('unsent messages survive a login that expires', async () => {
    response = () => [401, { error: 'invalid refresh token' }];
    const client = await signedIn();
    const sent = client.enter(1).send('hello');
    await settled();
    expect(await sent).toEqual({ outcome: 'kept' });
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'expired' });
    response = () => null;
    await client.signIn('ann', 'right horse');
    const room = client.enter(1);
    await settled();
    expect(room.state.pending).toMatchObject([{ content: 'hello' }]);
  });
});
