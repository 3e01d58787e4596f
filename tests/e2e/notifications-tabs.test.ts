/** What notifies the user, over two tabs: one notification, one sound, the counts, and what is read aloud. */
import { afterAll, expect, test } from 'vitest';
import { PushService } from '../../server/features/push/testing/push-service.ts';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom } from '../support/users.ts';
import type { Person } from './person.ts';
import type { Seat } from './seat.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';
import { watchAnnounced } from './timeline-page.ts';

const service = await PushService.start();
afterAll(() => service.close());

onStageWithWorker(
  'notifications over two tabs',
  (stage) => {
    test('of two tabs one notifies, with one sound if it is wanted; both count and one is told aloud', async () => {
      const { ann, login, says } = await called(stage, { context: { permissions: ['notifications'] } });
      await ann.page.context().addInitScript(watchDevice);
      await ann.page.goto('/inbox');
      const tab = await ann.openTab('/saved');
      await stage.kept();
      const tabs = [ann, tab];
      for (const one of tabs) await one.page.getByTestId('inbox-place').waitFor();
      const heard = ann.page.getByTestId('notice-announcer');
      await heard.waitFor({ state: 'attached' });
      await says(`@${login.username} lunch?`);
      for (const one of tabs) {
        await soon(() => one.page.getByTestId('inbox-count').allTextContents()).toEqual(['1']);
        await soon(() => one.page.title()).toMatch(/^\(1\) /);
        await soon(async () => (await device(one)).badge).toBe(1);
      }
      await soon(() => heard.textContent()).toMatch(/^bo\S* · \S+: @ann\S* lunch\?$/);
      await soon(() => total(tabs)).toEqual({ notifications: 1, sounds: 1 });

      await ann.page.goto('/settings/notifications');
      await ann.page.getByTestId('notifications').getByLabel('Play a sound').uncheck();
      const settings = async () =>
        (await send(stage.server, '/api/v1/me', { token: login.accessToken })).json;
      await soon(settings).toMatchObject({ settings: { notifications: { sound: false } } });
      // Either tab may raise the next one. The other one reads the settings anew.
      await tab.page.reload();
      await soon(async () => (await device(tab)).badge).toBe(1);
      await says(`@${login.username} still there?`);
      for (const one of tabs) await soon(async () => (await device(one)).badge).toBe(2);
      await soon(() => total(tabs)).toEqual({ notifications: 1, sounds: 0 });
    });

    test('"Not now" is remembered on this device, over a reload and further mentions', async () => {
      const { ann, login, says } = await called(stage);
      await ann.page.context().addInitScript(undecided);
      await ann.page.goto('/inbox');
      const count = () => ann.page.getByTestId('inbox-count').allTextContents();
      const bar = ann.page.getByTestId('ask-notifications');
      await ann.page.getByText("You're all caught up").waitFor();
      await says(`@${login.username} one`);
      await bar.getByRole('button', { name: 'Not now' }).click();
      await bar.waitFor({ state: 'detached' });
      await ann.page.reload();
      await soon(count).toEqual(['1']);
      await says(`@${login.username} two`);
      // It is told of the second one, and does not ask.
      await soon(() => ann.page.getByTestId('notice-announcer').textContent()).toContain('two');
      expect(await bar.count()).toBe(0);
      expect(await ann.page.evaluate(() => (window as { asked?: boolean }).asked)).toBe(undefined);
    });

    test('in a burst, what mentions the user is still read aloud; edits and reactions never are', async () => {
      const { ann, login, other, room, bo } = await called(stage);
      await ann.openRoom(room.name);
      const announced = await watchAnnounced(ann);
      const line = await RoomLine.enter(stage.server, other, room.id);
      const { id } = await line.post('a draft', 'a draft');
      await soon(announced).toEqual([`${bo}: a draft`]);
      const change = (path: string, json?: object) =>
        send(stage.server, `/api/v1/rooms/${room.id}/messages/${id}${path}`, {
          method: 'PUT',
          token: other.accessToken,
          ...(json && { json }),
        });
      expect((await change('', { content: 'a text', base_revision: 0 })).status).toBe(200);
      expect((await change(`/reactions/${encodeURIComponent('👍')}`)).status).toBe(204);
      await soon(() => ann.contents()).toEqual(['a text']);
      await ann.page.getByTestId('reaction').waitFor();
      const mention = `@${login.username} and you?`;
      await Promise.all(['one', mention, 'two', 'three', 'four'].map((text) => line.post(text, text)));
      await soon(async () => (await announced()).some((text) => text === `${bo}: ${mention}`)).toBe(true);
      // Announcements come in order: an edit or a reaction would be among these.
      expect((await announced()).filter((text) => /a text|👍|a draft/.test(text))).toEqual([
        `${bo}: a draft`,
      ]);
      await line.close();
    });

    test('push is turned on and off on this device, and a test arrives only while it is on', async () => {
      const login = await stage.account('ann');
      const { json } = await send(stage.server, '/api/v1/me/push/key', { token: login.accessToken });
      const subscriber = service.subscribe((json as { public_key: string }).public_key);
      const ann = await stage.seat({ login, context: { permissions: ['notifications'] } });
      await ann.page.context().addInitScript(subscribeTo, subscriber.subscription);
      await ann.page.goto('/settings/notifications');
      await stage.kept();
      const section = ann.page.getByTestId('notifications');
      const state = section.getByTestId('push-state');
      const tested = section.getByRole('status');
      await soon(() => state.textContent()).toContain('receives no notifications');
      await section.getByRole('button', { name: 'Turn on' }).click();
      await soon(() => state.textContent()).toContain('receives notifications');
      await section.getByRole('button', { name: 'Send a test' }).click();
      await soon(() => tested.allTextContents()).toContain('Sent to 1 device.');
      await soon(() => subscriber.received.map(({ payload }) => payload.title)).toEqual(['Roomful']);
      await ann.page.reload();
      await section.getByRole('button', { name: 'Turn off' }).click();
      await soon(() => state.textContent()).toContain('receives no notifications');
      await section.getByRole('button', { name: 'Send a test' }).click();
      await soon(() => tested.allTextContents()).toContain('No device receives notifications yet.');
      expect(subscriber.received).toHaveLength(1);
    });
  },
  { OUTGOING_ALLOW: service.allow },
  { notifies: true },
);

/** Ann, at no room, and bo, who speaks in a room of theirs. */
async function called(stage: Stage, seat: Seat = {}) {
  const [login, other] = await Promise.all([stage.account('ann'), stage.account('bo')]);
  const room = await createRoom(stage.server, login);
  await addMember(stage.server, login, room.id, other.userId);
  const ann = await stage.seat({ login, path: '/inbox', ...seat });
  const says = async (content: string) => {
    const line = await RoomLine.enter(stage.server, other, room.id);
    await line.post(content, content);
    await line.close();
  };
  return { ann, login, other, room, says, bo: other.username };
}

interface Device {
  notifications: number;
  sounds: number;
  badge: number;
}

function device({ page }: Person): Promise<Device> {
  return page.evaluate(() => (window as unknown as { device: Device }).device);
}

async function total(tabs: readonly Person[]) {
  const all = await Promise.all(tabs.map(device));
  const sum = (key: 'notifications' | 'sounds') => all.reduce((sofar, one) => sofar + one[key], 0);
  return { notifications: sum('notifications'), sounds: sum('sounds') };
}

// These run in the page.

/** Counts what the page asks of its device: the headless browser has no icon and no loudspeaker. */
function watchDevice(): void {
  const device = { notifications: 0, sounds: 0, badge: 0 };
  Object.assign(window, { device });
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (...args) {
    device.notifications += 1;
    return show.apply(this, args);
  };
  Object.defineProperty(window, 'AudioContext', {
    value: class {
      constructor() {
        device.sounds += 1;
        throw new Error('no loudspeaker');
      }
    },
  });
  Object.assign(navigator, {
    setAppBadge: async (count: number) => {
      device.badge = count;
    },
    clearAppBadge: async () => {
      device.badge = 0;
    },
  });
}

/** The user has neither allowed nor refused notifications. */
function undecided(): void {
  Object.defineProperty(window, 'Notification', {
    value: {
      permission: 'default',
      requestPermission: async () => {
        (window as { asked?: boolean }).asked = true;
        return 'denied';
      },
    },
  });
}

/** Subscribing leads to this push service: the browser's own one is on the internet. */
function subscribeTo(subscription: { endpoint: string; keys: Record<string, string> }): void {
  const key = 'test push subscription';
  const held = {
    endpoint: subscription.endpoint,
    options: { applicationServerKey: null },
    toJSON: () => subscription,
    unsubscribe: async () => {
      localStorage.removeItem(key);
      return true;
    },
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (localStorage.getItem(key) === null ? null : held),
    subscribe: async () => {
      localStorage.setItem(key, '1');
      return held;
    },
  });
}
