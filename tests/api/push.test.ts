import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUSH_ENDPOINT_MAX, PUSH_SUBSCRIPTIONS_MAX } from '../../protocol/limits.ts';
import { pushKeyResponse, pushTestResponse } from '../../protocol/rest/push.ts';
import { PushService, type Subscriber } from '../../server/features/push/testing/push-service.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, type RequestOptions, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, logIn, signUp } from '../support/users.ts';

const TEXTS = { title: 'Roomful', body: 'It works' };

let service: PushService;
let server: ServerProcess;
let ann: Login;
let key: string;
beforeAll(async () => {
  service = await PushService.start();
  server = await ServerProcess.start({ env: { OUTGOING_ALLOW: service.allow, MESSAGES_PER_SECOND: '0' } });
  ann = await signUp(server);
  key = expectReply(await ask('/key', {}), 200, pushKeyResponse).public_key;
});
afterAll(async () => {
  await server?.dispose();
  await service?.close();
});

const ask = (path: string, options: RequestOptions, login = ann) =>
  send(server, `/api/v1/me/push${path}`, { token: login.accessToken, ...options });
const put = (json: unknown, login = ann) => ask('', { method: 'PUT', json }, login);
const remove = (json: unknown, login = ann) => ask('', { method: 'DELETE', json }, login);

async function subscribe(login: Login): Promise<Subscriber> {
  const subscriber = service.subscribe(key);
  expect((await put(subscriber.subscription, login)).status).toBe(204);
  return subscriber;
}

/** Sends a test notification, and returns to how many browsers. */
async function sendTest(login: Login, texts = TEXTS): Promise<number> {
  const reply = await ask('/test', { method: 'POST', json: texts }, login);
  return expectReply(reply, 202, pushTestResponse).subscriptions;
}

const arrival = (subscriber: Subscriber, count = 1) =>
  eventually('the notification', () =>
    subscriber.received.length >= count ? subscriber.received : undefined,
  );

describe('GET /api/v1/me/push/key', () => {
  test('everybody gets the same key of 65 bytes, also after a restart', async () => {
    expect(Buffer.from(key, 'base64url')).toHaveLength(65);
    const bo = await signUp(server);
    expect((await ask('/key', {}, bo)).json).toEqual({ public_key: key });
    await server.stop();
    await server.restart();
    expect((await ask('/key', {})).json).toEqual({ public_key: key });
  });
});

describe('PUT and DELETE /api/v1/me/push', () => {
  test('a browser that subscribed receives notifications until it is removed, which may be repeated', async () => {
    const bo = await signUp(server);
    const subscriber = await subscribe(bo);
    const { endpoint } = subscriber.subscription;
    expect((await put(subscriber.subscription, bo)).status).toBe(204);
    expect(await sendTest(bo)).toBe(1);
    expect((await arrival(subscriber))[0]).toMatchObject({
      payload: { ...TEXTS, url: '/', tag: 'test' },
      urgency: 'high',
    });
    // Others cannot remove it, and do not see that it exists.
    expect((await remove({ endpoint })).status).toBe(204);
    expect(await sendTest(bo)).toBe(1);
    await arrival(subscriber, 2);
    for (let times = 0; times < 2; times++) expect((await remove({ endpoint }, bo)).status).toBe(204);
    expect(await sendTest(bo)).toBe(0);
    expect(service.faults).toEqual([]);
  });

  test('it ends with its session: signed out here, or ended elsewhere', async () => {
    const bo = await signUp(server);
    const [phone, desk] = [await logIn(server, bo.username), await logIn(server, bo.username)];
    await subscribe(phone);
    await subscribe(desk);
    const kept = await subscribe(bo);
    expect(await sendTest(bo)).toBe(3);
    await post(server, '/api/v1/auth/logout', { refresh_token: phone.refreshToken });
    expect(await sendTest(bo)).toBe(2);
    const { sessions } = (await send(server, '/api/v1/me/sessions', { token: desk.accessToken })).json as {
      sessions: { id: number; current: boolean }[];
    };
    const id = sessions.find(({ current }) => current)?.id;
    await send(server, `/api/v1/me/sessions/${id}`, { method: 'DELETE', token: bo.accessToken });
    expect(await sendTest(bo)).toBe(1);
    await arrival(kept, 3);
  });

  test('a browser in which somebody else signs in is that user’s from then on', async () => {
    const [bo, cy] = [await signUp(server), await signUp(server)];
    const { subscription } = await subscribe(bo);
    expect((await put(subscription, cy)).status).toBe(204);
    expect([await sendTest(bo), await sendTest(cy)]).toEqual([0, 1]);
  });

  test('a user has at most 20: a further one replaces the oldest', async () => {
    const bo = await signUp(server);
    for (let count = 0; count <= PUSH_SUBSCRIPTIONS_MAX; count++) await subscribe(bo);
    expect(await sendTest(bo)).toBe(PUSH_SUBSCRIPTIONS_MAX);
  });

  test('a subscription that the push service does not know any more is deleted', async () => {
    const bo = await signUp(server);
    const subscriber = await subscribe(bo);
    subscriber.respond = { status: 410 };
    expect(await sendTest(bo)).toBe(1);
    await eventually('the deletion', async () => ((await sendTest(bo)) === 0 ? true : undefined));
  });

  test.each([
    ...['', 'push.example', 'ftp://push.example/', 'javascript:alert(1)', 'https://user@push.example/'],
    ...['http://push.example/', 'https://push.example:8443/', 'https://127.0.0.1/', 'https://[::1]/'],
    ...['https://0x7f.1/', 'https://169.254.169.254/', 'https://[64:ff9b::7f00:1]/', 'https://10.0.0.1/'],
    ...['http://127.0.0.1/', 'https://android.googleapis.com/gcm/send/x'],
    ...['https://push.example/\0', 'https://push.example/\r\nx', 'https://push.example/\ud800'],
    `https://push.example/${'x'.repeat(PUSH_ENDPOINT_MAX)}`,
  ])('refused as an address: %s', async (endpoint) => {
    const { keys } = service.subscribe(key).subscription;
    expectRefusal(await put({ endpoint, keys }), 400, 'invalid payload');
  });

  test('one that no browser writes is refused to be removed, too', async () => {
    expectRefusal(await remove({ endpoint: 'https://push.example/\0' }), 400, 'invalid payload');
  });

  test('refused as keys: other lengths, other alphabets, a point that is not on the curve', async () => {
    const endpoint = 'https://push.example/x';
    const { keys } = service.subscribe(key).subscription;
    const { p256dh, auth } = keys;
    for (const bad of [
      ...[{}, { p256dh }, { auth }, { p256dh: auth, auth: p256dh }, { p256dh: `${p256dh}AA`, auth }],
      ...[
        { p256dh, auth: auth.slice(2) },
        { p256dh: p256dh.replace(/.$/, '!'), auth },
        { p256dh: 1, auth },
      ],
      ...[{ p256dh: Buffer.alloc(65, 4).toString('base64url'), auth }, null, []],
    ])
      expectRefusal(await put({ endpoint, keys: bad }), 400, 'invalid payload');
    expect((await put({ endpoint, keys: { p256dh: `${p256dh}=`, auth: `${auth}==` } })).status).toBe(204);
    await remove({ endpoint });
  });
});

test('without OUTGOING_ALLOW a push service inside is refused, by its address at once, by its name when sending', async () => {
  await using strict = await ServerProcess.start({});
  const bo = await signUp(strict);
  const askStrict = (path: string, options: RequestOptions) =>
    send(strict, `/api/v1/me/push${path}`, { token: bo.accessToken, ...options });
  const inside = service.subscribe(key).subscription;
  expectRefusal(await askStrict('', { method: 'PUT', json: inside }), 400, 'invalid payload');
  const named = { ...inside, endpoint: 'https://localhost/push' };
  expect((await askStrict('', { method: 'PUT', json: named })).status).toBe(204);
  expect((await askStrict('/test', { method: 'POST', json: TEXTS })).status).toBe(202);
});

test('changes and tests have a limit per user: 20 at once', async () => {
  await using strict = await ServerProcess.start({});
  const [bo, cy] = [await signUp(strict), await signUp(strict)];
  const test = (login: Login) =>
    send(strict, '/api/v1/me/push/test', { method: 'POST', json: TEXTS, token: login.accessToken });
  for (let count = 0; count < 20; count++) expect((await test(bo)).status).toBe(202);
  expectRefusal(await test(bo), 429, 'too many requests');
  expect((await test(cy)).status).toBe(202);
});
