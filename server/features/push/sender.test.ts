import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logIn } from '../../data/storage/contract/sessions.ts';
import { NOW, newUser } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../../data/storage/store.ts';
import { Outgoing } from '../../platform/outgoing/outgoing.ts';
import { PushKeys } from './keys.ts';
import { Sender } from './sender.ts';
import { PushService, type Subscriber } from './testing/push-service.ts';

const CONTACT = 'mailto:ops@chat.example';
const PAYLOAD = {
  title: 'Ann in #general',
  body: 'top secret text',
  url: '/rooms/7/m/9',
  tag: 'room 7',
  room_id: 7,
};

let service: PushService;
let store: Store;
let dispose: () => Promise<void>;
let keys: PushKeys;
let sender: Sender;
let log: string;

beforeEach(async () => {
  service = await PushService.start();
  ({ store, dispose } = await openTemporaryStore());
  keys = new PushKeys(store);
  sender = newSender(new Outgoing({ allow: [service.allow] }));
});
afterEach(async () => {
  await sender.stop(0);
  await service.close();
  await dispose();
});

function newSender(outgoing: Outgoing): Sender {
  const lines = new PassThrough();
  log = '';
  lines.on('data', (line) => {
    log += String(line);
  });
  return new Sender({ store, keys, outgoing, log: pino(lines), contact: CONTACT, now: () => NOW });
}

async function newLogin() {
  const user = await newUser(store);
  return { userId: user.id, ...(await logIn(store, user.id)) };
}

async function put(
  of: { userId: number; sessionId: number },
  { subscription }: Pick<Subscriber, 'subscription'>,
) {
  const { endpoint, keys: ofBrowser } = subscription;
  await store.putPushSubscription({ ...of, endpoint, ...ofBrowser, now: NOW, maxPerUser: 20 });
}

/** A new browser of the user. */
async function subscribe(of: { userId: number; sessionId: number }): Promise<Subscriber> {
  const subscriber = service.subscribe((await keys.get()).publicKey);
  await put(of, subscriber);
  return subscriber;
}

const stored = async (userId: number) =>
  (await store.pushSubscriptions({ userId, now: NOW })).map(({ endpoint }) => endpoint);

describe('Sender', () => {
  it('every browser of the user, and of nobody else, receives what was sent, encrypted and signed', async () => {
    const [ann, bo] = [await newLogin(), await newLogin()];
    const [phone, desk, other] = [await subscribe(ann), await subscribe(ann), await subscribe(bo)];
    const results = await sender.send(ann.userId, PAYLOAD, { urgency: 'high' });
    expect(results.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
    for (const { received } of [phone, desk])
      expect(received).toMatchObject([{ payload: PAYLOAD, urgency: 'high', ttlS: 86_400 }]);
    expect(other.received).toEqual([]);
    expect(service.faults).toEqual([]);
  });

  it('messages of one room have one topic, those of another room another', async () => {
    const ann = await newLogin();
    const { received } = await subscribe(ann);
    for (const tag of ['room 7', 'room 7', 'room 8']) await sender.send(ann.userId, { ...PAYLOAD, tag });
    const topics = received.map(({ topic }) => topic);
    expect(topics[0]).toBe(topics[1]);
    expect(new Set(topics).size).toBe(2);
  });

  it('the longest text arrives cut, in a message of at most 4096 bytes', async () => {
    const ann = await newLogin();
    const { received } = await subscribe(ann);
    await sender.send(ann.userId, { ...PAYLOAD, body: '\u{1F374}'.repeat(4000) });
    const size = received[0]?.size;
    expect(size).toBeLessThanOrEqual(4096);
    expect(size).toBeGreaterThan(4090);
    expect(received[0]?.payload.body).toMatch(/^(\u{1F374})+…$/u);
  });

  it('nothing is sent to a user without a subscription, or whose session has ended', async () => {
    const ann = await newLogin();
    expect(await sender.send(ann.userId, PAYLOAD)).toEqual([]);
    const { received } = await subscribe(ann);
    await store.endSession({ ...ann, now: NOW });
    expect(await sender.send(ann.userId, PAYLOAD)).toEqual([]);
    expect(received).toEqual([]);
  });

  it.each([
    ...[200, 201, 202, 204].map((status) => [status, 'delivered', true] as const),
    ...[404, 410].map((status) => [status, 'gone', false] as const),
    ...[408, 429, 500, 502, 503].map((status) => [status, 'later', true] as const),
    ...[301, 307, 400, 401, 403, 413].map((status) => [status, 'failed', true] as const),
  ])('a response of %i is %s; the subscription stays: %s', async (status, outcome, stays) => {
    const ann = await newLogin();
    const subscriber = await subscribe(ann);
    const { endpoint } = subscriber.subscription;
    subscriber.respond = { status, headers: { location: '/elsewhere' } };
    expect(await sender.send(ann.userId, PAYLOAD)).toEqual([{ endpoint, outcome }]);
    expect(await stored(ann.userId)).toEqual(stays ? [endpoint] : []);
  });

  it('another try goes to the named subscriptions alone, and Retry-After is returned', async () => {
    const ann = await newLogin();
    const [phone, desk] = [await subscribe(ann), await subscribe(ann)];
    phone.respond = { status: 429, headers: { 'retry-after': '7' } };
    const results = await sender.send(ann.userId, PAYLOAD);
    const later = results.filter(({ outcome }) => outcome === 'later');
    expect(later).toEqual([{ endpoint: phone.subscription.endpoint, outcome: 'later', retryAfterMs: 7000 }]);
    phone.respond = undefined;
    await sender.send(ann.userId, PAYLOAD, { only: later.map(({ endpoint }) => endpoint) });
    expect([phone.received.length, desk.received.length]).toEqual([1, 1]);
  });

  it('ten refusals in a row delete a subscription, a delivery in between begins anew', async () => {
    const ann = await newLogin();
    const subscriber = await subscribe(ann);
    for (const [times, respond] of [
      [9, { status: 403 }],
      [1, undefined],
      [9, { status: 403 }],
    ] as const) {
      subscriber.respond = respond;
      for (let count = 0; count < times; count++) await sender.send(ann.userId, PAYLOAD);
    }
    expect(await stored(ann.userId)).toHaveLength(1);
    await sender.send(ann.userId, PAYLOAD);
    expect(await stored(ann.userId)).toEqual([]);
  });

  it('a push service that is away: later', async () => {
    const ann = await newLogin();
    await subscribe(ann);
    await service.close();
    expect(await sender.send(ann.userId, PAYLOAD)).toMatchObject([{ outcome: 'later' }]);
    service = await PushService.start();
  });

  it('messages to one push service begin with two at once, and become up to 16 while it takes them', async () => {
    const people = [await newLogin(), await newLogin(), await newLogin()];
    for (const person of people) for (let count = 0; count < 20; count++) await subscribe(person);
    service.delayMs = 20;
    const send = async () => {
      service.atOnce.most = 0;
      const results = await Promise.all(people.map(({ userId }) => sender.send(userId, PAYLOAD)));
      expect(new Set(results.flat().map(({ outcome }) => outcome)).size).toBe(1);
      return service.atOnce.most;
    };
    const most = await send();
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(16);
    service.respond = { status: 429 };
    expect(await send()).toBeLessThanOrEqual(2);
  });

  it('at most two messages at once go to the browsers of one user, whichever services they have', async () => {
    const ann = await newLogin();
    const held: ServerResponse[] = [];
    const slow = createServer((_, response) => held.push(response)).listen(0);
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    sender = newSender(new Outgoing({ allow: [`127.0.0.0/8:${port}`] }));
    const { keys: ofBrowser } = service.subscribe((await keys.get()).publicKey).subscription;
    for (let host = 1; host <= 6; host++) {
      const endpoint = `http://127.0.0.${host}:${port}/`;
      await put(ann, { subscription: { endpoint, keys: ofBrowser } });
    }
    const sent = [sender.send(ann.userId, PAYLOAD), sender.send(ann.userId, PAYLOAD)];
    for (let pair = 0; pair < 6; pair++) {
      await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2);
      for (const response of held.splice(0)) response.writeHead(201).end();
    }
    const results = await Promise.all(sent);
    expect(results.flat().map(({ outcome }) => outcome)).toEqual(Array(12).fill('delivered'));
    slow.close();
  });

  it('a stop ends what is under way, and sends no more', async () => {
    const ann = await newLogin();
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    sender = newSender(new Outgoing({ allow: [`127.0.0.1:${port}`] }));
    const { keys: ofBrowser } = service.subscribe((await keys.get()).publicKey).subscription;
    await put(ann, { subscription: { endpoint: `http://127.0.0.1:${port}/`, keys: ofBrowser } });
    const asked = new Promise((resolve) => silent.once('request', resolve));
    const sent = sender.send(ann.userId, PAYLOAD);
    await asked;
    await sender.stop(10);
    expect(await sent).toMatchObject([{ outcome: 'later' }]);
    expect(await sender.send(ann.userId, PAYLOAD)).toMatchObject([{ outcome: 'later' }]);
    silent.closeAllConnections();
    silent.close();
  });
});

describe('Sender: addresses inside', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '169.254.169.254', '2130706433'])(
    'a subscription at %s that is not allowed receives nothing',
    async (host) => {
      const ann = await newLogin();
      const subscriber = service.subscribe((await keys.get()).publicKey, host);
      await put(ann, subscriber);
      sender = newSender(new Outgoing({ allow: [], resolve: async () => ['127.0.0.1'] }));
      expect(await sender.send(ann.userId, PAYLOAD)).toMatchObject([{ outcome: 'failed' }]);
      expect(subscriber.received).toEqual([]);
    },
  );

  it('a redirect to such an address is not followed', async () => {
    const ann = await newLogin();
    const [subscriber, inner] = [await subscribe(ann), await PushService.start()];
    const target = inner.subscribe((await keys.get()).publicKey);
    for (const status of [301, 302, 303, 307, 308]) {
      subscriber.respond = { status, headers: { location: target.subscription.endpoint } };
      expect(await sender.send(ann.userId, PAYLOAD)).toMatchObject([{ outcome: 'failed' }]);
    }
    expect([target.received, inner.faults]).toEqual([[], []]);
    await inner.close();
  });
});

it('the log has the push service and the reason, and neither the text nor the secret part of the address', async () => {
  const ann = await newLogin();
  const subscriber = await subscribe(ann);
  subscriber.respond = { status: 403 };
  await sender.send(ann.userId, PAYLOAD);
  expect(log).toContain(`"host":"127.0.0.1:${service.port}","status":403`);
  expect(log).not.toContain('secret');
  expect(log).not.toContain(new URL(subscriber.subscription.endpoint).pathname);
});
