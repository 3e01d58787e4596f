import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChatClient, type ChatClientOptions } from './chat-client.ts';
import type { WebSocketLike } from './connection/socket.ts';
import { memoryOutbox, type OutboxItem } from './outbox/outbox-store.ts';
import { ManualClock } from './testing/manual-clock.ts';

/** A line that is never up. */
class DeadSocket implements WebSocketLike {
  send(): void {}
  close(): void {}
  addEventListener(): void {}
}

const login = { access_token: 'a', refresh_token: 'r', expires_in: 900, user: { id: 1, username: 'ann' } };
const item = (roomId: number): OutboxItem => {
  return { cid: `c${roomId}`, roomId, content: 'hello', createdAt: roomId, refusal: null };
};
/** Lets every promise that can settle do so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a client', () => {
  let clock: ManualClock;
  let clients: ChatClient[];
  /** How often each path was asked for. */
  let asked: Map<string, number>;
  /** What the server answers: a status and a body, or null for no answer at all. */
  let answer: (path: string) => [number, unknown] | null;

  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    clients = [];
    asked = new Map();
    answer = (path) => (path.endsWith('tickets') ? null : [200, { messages: [], has_more: false }]);
  });

  afterEach(() => {
    for (const client of clients) client.close();
  });

  const server: typeof fetch = async (input) => {
    const path = String(input).replace(/.*\/api\/v1/, '');
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const [status, body] = path === '/auth/login' ? [200, login] : (answer(path) ?? []);
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

  test('visits no more than four rooms at a time that have something unsent, however many were left', async () => {
    const store = memoryOutbox();
    for (let roomId = 101; roomId <= 120; roomId++) await store.put(item(roomId));
    const client = await signedIn({ outbox: () => store });
    await settled();
    expect(asked.get('/ws/tickets')).toBe(4);
    for (let roomId = 1; roomId <= 6; roomId++) {
      const room = client.enter(roomId);
      void room.send('hello');
      room.leave();
    }
    await settled();
    expect(asked.get('/ws/tickets')).toBe(4 + 6);
  });

  test('refused by 401 right after its session was renewed, it waits like after any failure', async () => {
    answer = (path) =>
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

  test('a proxy without a server behind it costs nothing: neither the room, nor the login, nor what is unsent', async () => {
    answer = () => [404, '<h1>not here</h1>'];
    const client = await signedIn();
    const room = client.enter(1);
    void room.send('hello');
    await settled();
    expect(room.state.connection.status).toBe('waiting');
    expect(room.state.pending).toMatchObject([{ content: 'hello', status: 'queued' }]);
  });

  test('a room says why it is closed: stopped, or signed out', async () => {
    for (const end of ['stopped', 'signed_out'] as const) {
      const client = await signedIn();
      const room = client.enter(1);
      const told: unknown[] = [];
      room.on('connection', (connection) => told.push(connection));
      answer = () => [204, null];
      if (end === 'stopped') client.close();
      else await client.signOut();
      expect(room.state.connection).toEqual({ status: 'closed', reason: end });
      expect(told).toEqual([{ status: 'closed', reason: end }]);
    }
  });

  test('a room that was gone can be entered anew', async () => {
    answer = () => [404, { error: 'room not found' }];
    const client = await signedIn();
    const room = client.enter(1);
    await settled();
    expect(room.state.connection).toEqual({ status: 'closed', reason: 'room_gone' });
    answer = () => null;
    const again = client.enter(1);
    expect(again).not.toBe(room);
    expect(client.enter(1)).toBe(again);
    expect(again.state.connection.status).toBe('connecting');
  });

  test('a client that is closed says so', async () => {
    const client = await signedIn();
    client.close();
    expect(() => client.enter(1)).toThrow('closed');
  });

  test('what was unsent when the login ran out is there when its user is back', async () => {
    answer = () => [401, { error: 'invalid refresh token' }];
    const client = await signedIn();
    const sent = client.enter(1).send('hello');
    await settled();
    expect(await sent).toEqual({ outcome: 'kept' });
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'expired' });
    answer = () => null;
    await client.signIn('ann', 'right horse');
    const room = client.enter(1);
    await settled();
    expect(room.state.pending).toMatchObject([{ content: 'hello' }]);
  });
});
