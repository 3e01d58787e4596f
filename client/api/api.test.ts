import { describe, expect, test } from 'vitest';
import { ApiError, authApi, chatApi } from './api.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** An `Http` whose server gives one answer, and what it was asked. */
function serverThat(answer: () => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const http = {
    baseUrl: 'http://chat.test',
    fetch: async (url: string | URL | Request, init: RequestInit = {}) => {
      sent.push({ url: String(url), init });
      return answer();
    },
  };
  return { sent, http, chat: chatApi(http, (call) => call('access')), auth: authApi(http) };
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);

describe('requests', () => {
  test('carry the bearer token and the JSON body', async () => {
    const { sent, chat } = serverThat(() => json({ ticket: 't', expires_in: 60 }));
    expect(await chat.ticket(5)).toEqual({ ticket: 't', expires_in: 60 });
    expect(sent[0]?.url).toBe('http://chat.test/api/v1/ws/tickets');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"room_id":5}',
      headers: { Authorization: 'Bearer access', 'Content-Type': 'application/json' },
    });
  });

  test('page through history with the cursor that was given', async () => {
    const { sent, chat } = serverThat(() => json({ messages: [], has_more: false }));
    await chat.history(5);
    await chat.history(5, { limit: 50, beforeId: 7 });
    await chat.history(5, { afterId: 9 });
    expect(sent.map((one) => one.url.replace('http://chat.test/api/v1', ''))).toEqual([
      '/rooms/5/messages',
      '/rooms/5/messages?limit=50&before_id=7',
      '/rooms/5/messages?after_id=9',
    ]);
  });

  test('look for rooms by a part of their name, as it was typed', async () => {
    const { sent, chat } = serverThat(() => json({ rooms: [] }));
    await chat.listRooms();
    await chat.listRooms({ q: 'R&D 50%', limit: 20 });
    expect(sent.map((one) => one.url.replace('http://chat.test/api/v1', ''))).toEqual([
      '/rooms',
      '/rooms?q=R%26D+50%25&limit=20',
    ]);
  });

  test('name a refresh with an Idempotency-Key', async () => {
    const { sent, auth } = serverThat(() => json({ access_token: 'a', refresh_token: 'r', expires_in: 900 }));
    await auth.refresh('old', 'key');
    expect(sent[0]?.init.headers).toMatchObject({ 'Idempotency-Key': 'key' });
  });

  test('find one room in a list that runs newest first', async () => {
    const { sent, chat } = serverThat(() => json({ rooms: [{ id: 5, name: 'five', online: 0, seq: 0 }] }));
    expect(await chat.findRoom(5)).toMatchObject({ name: 'five' });
    expect(await chat.findRoom(6)).toBeNull();
    expect(sent[0]?.url).toContain('before_id=6');
  });
});

describe('failures are ApiErrors', () => {
  const failure = async (answer: () => Response | Promise<Response>) => {
    const error = await serverThat(answer)
      .chat.listRooms()
      .catch((caught: unknown) => caught);
    if (!(error instanceof ApiError)) throw new Error('not an ApiError');
    return error;
  };

  test('a refusal has the status, the message and when to come back', async () => {
    const refused = () =>
      json({ error: 'too many requests' }, { status: 429, headers: { 'Retry-After': '3' } });
    expect(await failure(refused)).toMatchObject({
      status: 429,
      message: 'too many requests',
      retryAfterMs: 3000,
      retryable: true,
    });
  });

  test('nobody stays away for longer than a minute, whatever is asked for', async () => {
    const refused = () => json({ error: 'x' }, { status: 503, headers: { 'Retry-After': '999999' } });
    expect(await failure(refused)).toMatchObject({ retryAfterMs: 60_000 });
  });

  test('no answer has status 0 and may be tried again', async () => {
    const error = await failure(() => {
      throw new TypeError('fetch failed');
    });
    expect(error).toMatchObject({ status: 0, retryable: true });
  });

  test('an answer that is not what the interface says is no success', async () => {
    expect(await failure(() => json({ rooms: 'many' }))).toMatchObject({ message: 'unexpected answer' });
    expect(await failure(() => new Response('<html>'))).toMatchObject({ status: 0 });
  });

  test('a refusal by something that is not the server still has its status', async () => {
    const error = await failure(() => new Response('<html>', { status: 502 }));
    expect(error).toMatchObject({ status: 502, retryAfterMs: undefined, retryable: true });
  });

  test('a refusal that will not change is not retryable', async () => {
    expect((await failure(() => json({ error: 'room not found' }, { status: 404 }))).retryable).toBe(false);
  });
});
