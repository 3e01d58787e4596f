import { describe, expect, test } from 'vitest';
import { authApi, chatApi } from './api.ts';
import { ApiError } from './api-error.ts';
import { checkedPaths } from './checked-paths.ts';
import { serverUrl } from './http.ts';
import { peopleApi } from './people-api.ts';
import { roomsApi } from './rooms-api.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** The APIs of a server that gives one response, and the requests that it received. */
function serverThat(respond: (url: string) => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const http = {
    baseUrl: 'http://chat.test',
    fetch: async (url: string | URL | Request, init: RequestInit = {}) => {
      sent.push({ url: String(url), init });
      return respond(String(url));
    },
  };
  return { sent, http, chat: chatApi(http, (call) => call('access')), auth: authApi(http) };
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);

describe('requests', () => {
  test('carry the bearer token and a JSON body', async () => {
    const { sent, chat } = serverThat(() => json({ ticket: 't', expires_in: 60 }));
    expect(await chat.ticket()).toEqual({ ticket: 't', expires_in: 60 });
    expect(sent[0]?.url).toBe('http://chat.test/api/v1/ws/tickets');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"scope":"user"}',
      headers: { Authorization: 'Bearer access', 'Content-Type': 'application/json' },
    });
  });

  test('have a path of the interface: the compiler refuses any other', () => {
    const sent: string[] = [];
    const tell = async (method: string, path: string) => void sent.push(`${method} ${path}`);
    const checked = checkedPaths({ ask: async () => null as never, tell, send: async () => new Response() });
    const [roomId, code] = [7, 'k3'];
    void checked.tell('DELETE', `/rooms/${roomId}/members/me`);
    void checked.tell('GET', `/rooms/${roomId}/messages?limit=1`);
    void checked.tell('GET', `/invites/${code}`);
    // @ts-expect-error: no such path.
    void checked.tell('DELETE', `/rooms/${roomId}/member/me`);
    // @ts-expect-error: no such method of this path.
    void checked.tell('PATCH', `/rooms/${roomId}/messages`);
    // @ts-expect-error: the id of a room is a number.
    void checked.tell('GET', `/rooms/${code}`);
    expect(sent).toHaveLength(6);
  });

  test('for history carry the given cursor', async () => {
    const { sent, chat } = serverThat(() => json({ messages: [], has_more: false, epoch: 'e1', seq: 0 }));
    await chat.history(5);
    await chat.history(5, { limit: 50, beforeId: 7 });
    await chat.history(5, { afterId: 9 });
    expect(sent.map((one) => one.url.replace('http://chat.test/api/v1', ''))).toEqual([
      '/rooms/5/messages',
      '/rooms/5/messages?limit=50&before_id=7',
      '/rooms/5/messages?after_id=9',
    ]);
  });

  test('for rooms carry the part of the name as it was typed', async () => {
    const { sent, chat } = serverThat(() => json({ rooms: [] }));
    await chat.listRooms();
    await chat.listRooms({ q: 'R&D 50%', limit: 20 });
    expect(sent.map((one) => one.url.replace('http://chat.test/api/v1', ''))).toEqual([
      '/rooms',
      '/rooms?q=R%26D+50%25&limit=20',
    ]);
  });

  test('for rooms go on until the list is whole or has as many rooms as were wanted', async () => {
    const room = (id: number) => ({ id, kind: 'public', name: `room ${id}`, online: 0, seq: 0 });
    const pages = [
      { rooms: [room(9), room(8)], has_more: true },
      { rooms: [room(7), room(5)], has_more: true },
      { rooms: [room(4)] },
    ];
    const whole = serverThat(() => json(pages[whole.sent.length - 1]));
    expect((await whole.chat.listRooms({ q: 'room' })).map(({ id }) => id)).toEqual([9, 8, 7, 5, 4]);
    expect(whole.sent.map((one) => one.url.replace('http://chat.test/api/v1', ''))).toEqual([
      ...['/rooms?q=room', '/rooms?q=room&limit=498&before_id=8', '/rooms?q=room&limit=496&before_id=5'],
    ]);
    const part = serverThat(() => json(pages[part.sent.length - 1]));
    expect((await part.chat.listRooms({ limit: 4 })).map(({ id }) => id)).toEqual([9, 8, 7, 5]);
    expect(part.sent).toHaveLength(2);
  });

  test('for a refresh carry the Idempotency-Key', async () => {
    const { sent, auth } = serverThat(() => json({ access_token: 'a', refresh_token: 'r', expires_in: 900 }));
    await auth.refresh('old', 'key');
    expect(sent[0]?.init.headers).toMatchObject({ 'Idempotency-Key': 'key' });
  });

  test('for one room name it; one that nobody may see is null', async () => {
    const room = { id: 5, kind: 'public', name: 'five', online: 0, seq: 0 };
    const { sent, chat } = serverThat(() => json(room));
    expect(await chat.findRoom(5)).toMatchObject({ name: 'five' });
    expect(sent[0]?.url).toBe('http://chat.test/api/v1/rooms/5');
    const gone = serverThat(() => json({ error: 'room not found' }, { status: 404 }));
    expect(await gone.chat.findRoom(6)).toBeNull();
    const proxy = serverThat(() => json({}, { status: 404 }));
    await expect(proxy.chat.findRoom(6)).rejects.toThrow('status 404');
  });

  test('about rooms and people use the methods and paths of the interface', async () => {
    const room = { id: 5, kind: 'dm', name: '', online: 0, seq: 0 };
    const { sent, chat } = serverThat((url) =>
      url.endsWith('/dms') ? json(room) : new Response(null, { status: 204 }),
    );
    const rooms = roomsApi(chat.requests);
    expect(await rooms.createDm([8])).toMatchObject({ kind: 'dm' });
    await rooms.setMember(5, 8, 'moderator');
    await rooms.removeMember(5, 8);
    await peopleApi(chat.requests).block(8);
    expect(
      sent.map(({ url, init }) => [init.method, url.replace('http://chat.test/api/v1', ''), init.body]),
    ).toEqual([
      ['POST', '/dms', '{"user_ids":[8]}'],
      ['PUT', '/rooms/5/members/8', '{"role":"moderator"}'],
      ['DELETE', '/rooms/5/members/8', undefined],
      ['PUT', '/me/blocks/8', undefined],
    ]);
  });
});

describe('failures are ApiErrors', () => {
  const failure = async (respond: () => Response | Promise<Response>) => {
    const error = await serverThat(respond)
      .chat.listRooms()
      .catch((caught: unknown) => caught);
    if (!(error instanceof ApiError)) throw new Error('not an ApiError');
    return error;
  };

  test('a refusal has the status, the message and Retry-After', async () => {
    const refused = () =>
      json({ error: 'too many requests' }, { status: 429, headers: { 'Retry-After': '3' } });
    expect(await failure(refused)).toMatchObject({
      status: 429,
      message: 'too many requests',
      retryAfterMs: 3000,
      retryable: true,
    });
  });

  test('a Retry-After of more than a minute is shortened to a minute', async () => {
    const refused = () => json({ error: 'x' }, { status: 503, headers: { 'Retry-After': '999999' } });
    expect(await failure(refused)).toMatchObject({ retryAfterMs: 60_000 });
  });

  test('no response has status 0 and is retryable', async () => {
    const error = await failure(() => {
      throw new TypeError('fetch failed');
    });
    expect(error).toMatchObject({ status: 0, retryable: true });
  });

  test('a response that does not match the interface is a failure', async () => {
    expect(await failure(() => json({ rooms: 'many' }))).toMatchObject({ message: 'unexpected response' });
    expect(await failure(() => new Response('<html>'))).toMatchObject({ status: 0 });
  });

  test('a refusal by a proxy has its status', async () => {
    const error = await failure(() => new Response('<html>', { status: 502 }));
    expect(error).toMatchObject({ status: 502, retryAfterMs: undefined, retryable: true });
  });

  test('a permanent refusal is not retryable', async () => {
    expect((await failure(() => json({ error: 'room not found' }, { status: 404 }))).retryable).toBe(false);
  });
});

describe('the url of the server', () => {
  test.each([
    ['https://chat.test', 'https://chat.test'],
    ['https://chat.test/', 'https://chat.test'],
    ['http://localhost:8080//', 'http://localhost:8080'],
    ['https://chat.test/below/', 'https://chat.test/below'],
  ])('%s is used as %s', (url, base) => {
    expect(serverUrl(url)).toBe(base);
  });

  test.each([
    [undefined, 'url must be the server’s address, such as https://chat.example.org'],
    ['', 'url must be the server’s address, such as https://chat.example.org'],
    ['localhost:8080', 'url must start with http:// or https://'],
    ['ws://chat.test', 'url must start with http:// or https://'],
    ['https://', 'url must start with http:// or https://'],
    ['https://chat.test/?room=1', 'url must have no query'],
  ])('%s is a TypeError that names the mistake', (url, message) => {
    expect(() => serverUrl(url)).toThrow(message.replace('’', "'"));
    expect(() => serverUrl(url)).toThrow(TypeError);
  });
});
