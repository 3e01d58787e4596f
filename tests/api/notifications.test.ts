/** The inbox, notifications and their settings, through the server as it runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboxResponse, type Why, whyResponse } from '../../protocol/rest/notifications.ts';
import { meResponse } from '../../protocol/rest/people.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

const LONG = { timeout: 30_000 };

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

async function request(login: Login, method: string, path: string, json?: unknown) {
  const options = { method, token: login.accessToken, ...(json === undefined ? {} : { json }) };
  return await send(server, `/api/v1${path}`, options);
}

const inboxOf = async (login: Login, query = '') =>
  inboxResponse.parse((await request(login, 'GET', `/me/inbox${query}`)).json);
const whyOf = async (login: Login, roomId: number, messageId: number): Promise<Why> =>
  whyResponse.parse((await request(login, 'GET', `/rooms/${roomId}/messages/${messageId}/why`)).json);

/** A room of Ann's that Bo is in, and a line of hers. */
async function furnished() {
  const { id: roomId } = await createRoom(server, ann);
  await request(bo, 'PUT', `/rooms/${roomId}/members/me`);
  return { roomId, talk: await LineClient.start(server, ann) };
}

describe('a mention', () => {
  test('reaches every line of the user at once, and their inbox, and counts until the room is read', async () => {
    const { roomId, talk } = await furnished();
    const lines = [await LineClient.start(server, bo), await LineClient.start(server, bo)];
    const { id, seq } = await talk.post(roomId, `lunch, @${bo.username}?`);
    for (const line of lines) {
      const notice = await line.waitFor('notify', ({ message_id }) => message_id === id);
      expect(notice).toMatchObject({ room_id: roomId, reason: 'mention', body: `lunch, @${bo.username}?` });
      const entry = await line.waitFor('inbox', ({ message_id }) => message_id === id);
      expect(entry).toMatchObject({ room_id: roomId, seq, reason: 'mention' });
      expect(entry.user_seq).toBeGreaterThan(line.hello.user_seq);
    }
    const listed = (line: LineClient) => line.rooms.find(({ room }) => room.id === roomId);
    const fresh = await LineClient.start(server, bo);
    expect(listed(fresh)).toMatchObject({ unread: 1, mentions: 1 });
    expect((await inboxOf(bo)).entries[0]).toMatchObject({ message: { id }, reason: 'mention', read: false });
    expect(await whyOf(bo, roomId, id)).toEqual({ reason: 'mention', decision: 'waited', detail: null });
    expect(await whyOf(ann, roomId, id)).toEqual({ reason: null, decision: 'off', detail: 'own' });

    fresh.send({ type: 'read', room_id: roomId, seq, known: 0 });
    await fresh.waitFor('me', ({ me }) => me.read_seq === seq);
    const later = await LineClient.start(server, bo);
    expect(listed(later)).toMatchObject({ unread: 0, mentions: 0 });
    expect((await inboxOf(bo)).entries[0]).toMatchObject({ message: { id }, read: true });
    await Promise.all([talk, fresh, later, ...lines].map((line) => line.close()));
  });

  test('that was deleted leaves the inbox on every device', async () => {
    const { roomId, talk } = await furnished();
    const line = await LineClient.start(server, bo);
    const { id } = await talk.post(roomId, `@${bo.username}`);
    await line.waitFor('inbox', ({ message_id }) => message_id === id);
    await request(ann, 'DELETE', `/rooms/${roomId}/messages/${id}`);
    await line.waitFor('inbox', ({ message_id, removed }) => message_id === id && removed === true);
    expect((await inboxOf(bo)).entries.filter(({ message }) => message.id === id)).toEqual([]);
    await Promise.all([talk, line].map((each) => each.close()));
  });

  test('of a private room is gone with the membership', async () => {
    const { id: roomId } = await createRoom(server, ann);
    await request(bo, 'PUT', `/rooms/${roomId}/members/me`);
    await request(ann, 'PATCH', `/rooms/${roomId}`, { kind: 'private' });
    const talk = await LineClient.start(server, ann);
    const { id } = await talk.post(roomId, `@${bo.username}`);
    const held = async () => (await inboxOf(bo)).entries.some(({ message }) => message.id === id);
    await expect.poll(held, LONG).toBe(true);
    await request(ann, 'DELETE', `/rooms/${roomId}/members/${bo.userId}`);
    expect(await held()).toBe(false);
    await talk.close();
  });
});

test('somebody who was added to a room finds the invitation in the inbox', async () => {
  const { id: roomId } = await createRoom(server, ann);
  await request(ann, 'PUT', `/rooms/${roomId}/members/${bo.userId}`);
  await expect
    .poll(async () => (await inboxOf(bo, '?limit=1')).entries[0], LONG)
    .toMatchObject({ reason: 'invite', message: { room_id: roomId } });
});

test('the inbox comes in pages', async () => {
  const { entries, has_more } = await inboxOf(bo, '?limit=1');
  expect([entries.length, has_more]).toEqual([1, true]);
  const next = await inboxOf(bo, `?limit=1&before_id=${entries[0]?.message.id}`);
  expect(next.entries[0]?.message.id).toBeLessThan(entries[0]?.message.id ?? 0);
  expect((await request(bo, 'GET', '/me/inbox?before_id=0')).status).toBe(400);
});

test('notification settings are replaced whole, and hours and times are checked', async () => {
  const put = (json: unknown) => request(bo, 'PUT', '/me/notifications', json);
  const dnd = { until: '2030-01-01T00:00:00.000Z', hours: [{ day: 0, from: '22:00', to: '07:00' }] };
  const { json } = await put({ default: 'all', dnd, hide_text: true });
  expect(meResponse.parse(json).settings).toEqual({
    notifications: { default: 'all', dnd, hide_text: true },
  });
  expect(meResponse.parse((await put({ sound: false })).json).settings.notifications).toEqual({
    sound: false,
  });
  for (const bad of [{ default: 'some' }, { dnd: { hours: [{ day: 7, from: '22:00', to: '07:00' }] } }])
    expect((await put(bad)).status).toBe(400);
});
