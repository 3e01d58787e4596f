/** Notifications on the desktop, their settings, and why there was one or not. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker(
  'notifications',
  (stage) => {
    test('one is raised where the room is not shown, with its place; it is closed when the room is read', async () => {
      const { login, room, other, says } = await conversation(stage);
      const seat = { login: login.ann, context: { permissions: ['notifications'] } };
      const ann = await stage.seat({ ...seat, path: `/rooms/${other.id}` });
      await ann.isIn(other.name);
      await stage.kept();
      const { id, seq } = await says(`@${login.ann.username} lunch?`);
      await soon(() => shown(ann)).toEqual([
        {
          title: `${login.bo.username} · ${room.name}`,
          body: `@${login.ann.username} lunch?`,
          tag: `room ${room.id}`,
          data: { path: `/rooms/${room.id}/m/${id}`, seq },
        },
      ]);
      await ann.openRoom(room.name);
      await soon(() => shown(ann)).toEqual([]);
      // The room is on the screen.
      await says(`@${login.ann.username} and now?`);
      await ann.message('and now?').waitFor();
      expect(await shown(ann)).toEqual([]);
    });

    test('after the first mention a bar asks, once; the browser is asked only after a Yes', async () => {
      const { login, other, says } = await conversation(stage);
      const ann = await stage.seat({ login: login.ann, path: `/rooms/${other.id}` });
      await ann.isIn(other.name);
      const bar = ann.page.getByTestId('ask-notifications');
      await ann.page.evaluate(() => {
        const stub = { permission: 'default', asked: 0 };
        Object.defineProperty(window, 'Notification', {
          value: {
            get permission() {
              return stub.permission;
            },
            requestPermission: async () => {
              (window as { asked?: number }).asked = ++stub.asked;
              stub.permission = 'denied';
              return stub.permission;
            },
          },
        });
      });
      expect(await bar.count()).toBe(0);
      await says(`@${login.ann.username} hello`);
      await bar.waitFor();
      const [asked, header] = await Promise.all([
        bar.boundingBox(),
        ann.page.locator('[data-region=header]').boundingBox(),
      ]);
      expect(asked?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
      await checkScreen(ann);
      expect(await ann.page.evaluate(() => (window as { asked?: number }).asked)).toBe(undefined);
      await bar.getByRole('button', { name: 'Yes' }).click();
      await bar.waitFor({ state: 'detached' });
      await soon(() => ann.page.evaluate(() => (window as { asked?: number }).asked)).toBe(1);
      expect(await ann.stored(`chat_asked:${login.ann.userId}`)).toBe('1');
    });

    test('the settings are kept: level, hours, hidden text, sound', async () => {
      const login = await stage.account('ann');
      const ann = await stage.seat({ login, path: '/settings/notifications' });
      const section = ann.page.getByTestId('notifications');
      await section.getByLabel('All messages').check();
      await section.getByLabel('Hide the text of messages').check();
      await section.getByLabel('Play a sound').uncheck();
      await section.getByRole('button', { name: 'Add hours' }).click();
      await section.getByLabel('Day', { exact: true }).selectOption({ label: 'Friday' });
      await section.getByLabel('Do not disturb').selectOption({ label: 'For an hour' });
      await checkScreen(ann);
      const kept = async () => ({
        all: await section.getByLabel('All messages').isChecked(),
        hides: await section.getByLabel('Hide the text of messages').isChecked(),
        sounds: await section.getByLabel('Play a sound').isChecked(),
        days: await section
          .getByLabel('Day', { exact: true })
          .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value)),
        quiet: await section.getByLabel('Do not disturb').inputValue(),
      });
      const wanted = { all: true, hides: true, sounds: false, days: ['5'], quiet: 'until' };
      await soon(
        async () => (await send(stage.server, '/api/v1/me', { token: login.accessToken })).json,
      ).toMatchObject({
        settings: {
          notifications: {
            ...{ default: 'all', hide_text: true, sound: false },
            dnd: { hours: [{ day: 5, from: '22:00', to: '07:00' }], until: expect.any(String) },
          },
        },
      });
      await ann.page.reload();
      await section.getByTestId('quiet-hours').waitFor();
      expect(await kept()).toEqual(wanted);
      await section.getByRole('button', { name: 'Remove Friday 22:00–07:00' }).click();
      await soon(() => section.getByTestId('quiet-hours').count()).toBe(0);
      await section.getByRole('button', { name: 'Send a test' }).click();
      await section.getByText('No device receives notifications yet.').waitFor();
    });

    test('a room without a level of its own shows the level of the settings', async () => {
      const login = await stage.account('ann');
      const room = await createRoom(stage.server, login);
      const { accessToken: token } = login;
      const path = '/api/v1/me/notifications';
      await send(stage.server, path, { method: 'PUT', json: { default: 'none' }, token });
      const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
      await ann.isIn(room.name);
      await ann.page.getByRole('heading', { level: 1 }).getByRole('button').click();
      await ann.goToRoomPart('Notifications');
      const level = ann.page
        .getByRole('group', { name: 'Notify me about' })
        .getByRole('radio', { checked: true });
      await level.waitFor();
      const chosen = () => level.locator('..').textContent();
      expect(await chosen()).toBe('Default (Nothing)');
      // It can have one, and go back.
      await ann.page.getByRole('radio', { name: 'Mentions and replies', exact: true }).check();
      // The second change is made while the first is on its way.
      const kept = ann.page.waitForResponse(
        (response) => response.ok() && response.request().postData() === '{"notify":null}',
      );
      await ann.page.getByRole('radio', { name: 'Default (Nothing)' }).check();
      await soon(chosen).toBe('Default (Nothing)');
      await kept;
      await ann.page.reload();
      await soon(chosen).toBe('Default (Nothing)');
    });

    test('on a phone every setting is within reach', async () => {
      const ann = await stage.seat({
        login: await stage.account('ann'),
        path: '/settings/notifications',
        context: PHONE,
      });
      const section = ann.page.getByTestId('notifications');
      await section.getByRole('button', { name: 'Add hours' }).tap();
      await section.getByTestId('quiet-hours').waitFor();
      await expectReachable(ann);
    });

    test('the menu of a message says why it did or did not notify', async () => {
      const { login, room, says } = await conversation(stage);
      await says(`@${login.ann.username} hello`);
      const ann = await stage.seat({ login: login.ann, path: `/rooms/${room.id}` });
      await ann.isIn(room.name);
      await ann.message('hello').hover();
      await ann.message('hello').getByRole('button', { name: 'More' }).click();
      await ann.button('Why was I notified, or not?').click();
      await ann.page.getByTestId('why').getByText('This message mentions you.').waitFor();
      await checkScreen(ann);
    });
  },
  {},
  { notifies: true },
);

interface Shown {
  title: string;
  body: string;
  tag: string;
  data: unknown;
}

function shown({ page }: Person): Promise<Shown[]> {
  return page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });
}

/** Ann and bo are in a room, where bo speaks; ann has another one. */
async function conversation(stage: Stage) {
  const login: Record<'ann' | 'bo', Login> = {
    ann: await stage.account('ann'),
    bo: await stage.account('bo'),
  };
  const [room, other] = [
    await createRoom(stage.server, login.ann),
    await createRoom(stage.server, login.ann),
  ];
  await addMember(stage.server, login.ann, room.id, login.bo.userId);
  const says = async (content: string) => {
    const line = await RoomLine.enter(stage.server, login.bo, room.id);
    const ack = await line.post(content, content);
    await line.close();
    return ack;
  };
  return { login, room, other, says };
}
