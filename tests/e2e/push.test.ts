/** Notifications by Web Push, in the browser: shown by the service worker, clicked, and closed by what was read. */
import type { Worker } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { PushService } from '../../server/features/push/testing/push-service.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { createRoom, type Login } from '../support/users.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

interface Shown {
  title: string;
  body: string;
  tag: string;
  data: unknown;
}

/** A user in a room, whose browser may show notifications. */
async function ready(stage: Stage) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({
    login,
    path: `/rooms/${room.id}`,
    context: { permissions: ['notifications'] },
  });
  await ann.isIn(room.name);
  await stage.kept();
  return { ann, room, login };
}

/** By page: where its service worker takes messages. Its session stays: a message that is on its way needs it. */
const inlets = new WeakMap<Person['page'], Promise<(data: string) => Promise<unknown>>>();

/** Hands a message to the service worker as the browser's push service does: `data` is decrypted. */
async function deliver({ page }: Person, data: string): Promise<void> {
  const inlet = inlets.get(page) ?? inletOf(page);
  inlets.set(page, inlet);
  await (await inlet)(data);
}

async function inletOf(page: Person['page']): Promise<(data: string) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const registrationId = await registration;
  return (data) => devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

function shown({ page }: Person): Promise<Shown[]> {
  return page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active === null) throw new Error('no worker');
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });
}

/** Clicks on the notification: a browser without a screen shows none that could be clicked. */
async function click({ page }: Person): Promise<void> {
  const [worker] = page.context().serviceWorkers() as Worker[];
  await worker?.evaluate(async () => {
    const self = globalThis as unknown as {
      registration: { getNotifications(): Promise<unknown[]> };
      dispatchEvent(event: Event): boolean;
      NotificationEvent: new (type: string, init: object) => Event;
    };
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new self.NotificationEvent('notificationclick', { notification }));
  });
}

const pushOf = (of: object) =>
  JSON.stringify({ title: 'Bo', body: 'lunch?', url: '/', tag: 'room 1', ...of });

/** A test notification as the server sends it and a browser decrypts it. */
async function sentByServer(
  stage: Stage,
  service: PushService,
  { accessToken: token }: Login,
): Promise<string> {
  const { json } = await send(stage.server, '/api/v1/me/push/key', { token });
  const subscriber = service.subscribe((json as { public_key: string }).public_key);
  const { status } = await send(stage.server, '/api/v1/me/push', {
    method: 'PUT',
    token,
    json: subscriber.subscription,
  });
  expect(status).toBe(204);
  await post(stage.server, '/api/v1/me/push/test', { title: 'Roomful', body: 'It works' }, { token });
  return JSON.stringify(await eventually('the message', () => subscriber.received[0]?.payload));
}

const service = await PushService.start();
afterAll(() => service.close());

onStageWithWorker(
  'Web Push',
  (stage) => {
    test('what the server sends is shown, one notification for each tag, the last one', async () => {
      const { ann, login } = await ready(stage);
      await deliver(ann, await sentByServer(stage, service, login));
      await soon(() => shown(ann)).toEqual([
        { title: 'Roomful', body: 'It works', tag: 'test', data: { path: '/' } },
      ]);
      for (const body of ['first', 'second']) await deliver(ann, pushOf({ body, tag: 'test' }));
      await deliver(ann, pushOf({ tag: 'room 999' }));
      await soon(async () => (await shown(ann)).map(({ tag, body }) => `${tag}: ${body}`).sort()).toEqual([
        'room 999: lunch?',
        'test: second',
      ]);
    });

    test('whatever a push has, a notification is shown: Safari takes back the permission otherwise', async () => {
      const { ann } = await ready(stage);
      for (const data of ['', 'no JSON', 'null', '[]', '{"title": "Bo"}', '{"url": "http://["}']) {
        await deliver(ann, data);
        await soon(async () => (await shown(ann)).length).toBe(1);
        await ann.page.evaluate(async () => {
          for (const one of await (await navigator.serviceWorker.ready).getNotifications()) one.close();
        });
        await soon(async () => (await shown(ann)).length).toBe(0);
      }
    });

    test('a click opens its address in the page that is open, and never one of another origin', async () => {
      const { ann, login } = await ready(stage);
      const other = await createRoom(stage.server, login);
      await deliver(ann, pushOf({ url: `/rooms/${other.id}` }));
      await soon(async () => (await shown(ann)).length).toBe(1);
      await click(ann);
      await ann.isIn(other.name);
      await soon(async () => (await shown(ann)).length).toBe(0);
      await deliver(ann, pushOf({ url: 'https://phishing.example/rooms/1' }));
      await soon(async () => (await shown(ann)).map(({ data }) => data)).toEqual([{ path: '/' }]);
    });

    test('what has been read is closed, and what has not stays', async () => {
      const { ann, room } = await ready(stage);
      await ann.say('one');
      await ann.message('one').waitFor();
      await deliver(ann, pushOf({ body: 'unread', tag: `room ${room.id}`, seq: 1000 }));
      await deliver(ann, pushOf({ body: 'elsewhere', tag: 'room 999', seq: 1 }));
      await soon(async () => (await shown(ann)).length).toBe(2);
      await deliver(ann, pushOf({ body: 'read', tag: `room ${room.id}`, seq: 1 }));
      await ann.say('two');
      await soon(async () => (await shown(ann)).map(({ body }) => body)).toEqual(['elsewhere']);
    });
  },
  { OUTGOING_ALLOW: service.allow },
  { notifies: true },
);
