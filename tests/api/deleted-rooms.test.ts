/** A deleted room is gone for everybody, and can be restored for 30 days. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeletedRoom } from '../../protocol/rest/administration.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import type { HttpReply } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Login, logIn, readHistory, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { PEOPLE } from './access-matrix.ts';
import { AccessWorld, type Place } from './access-world.ts';

const NOWHERE: Place = {
  ...{ id: 4_000_000_000, name: 'nowhere', invite: { id: 4_000_000_000, code: '' } },
  message: async () => 4_000_000_000,
  file: async () => ({ key: 'A'.repeat(22), messageId: 4_000_000_000 }),
};

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.make();
}, 60_000);
afterAll(async () => await world?.server.dispose());

const remove = async (person: Parameters<AccessWorld['send']>[0], { id }: Place) =>
  await world.send(person, `/rooms/${id}`, { method: 'DELETE' });
const restore = async (person: Parameters<AccessWorld['send']>[0], { id }: Place, body: object = {}) =>
  await world.send(person, `/admin/rooms/${id}/restore`, { method: 'POST', json: body });

/** All that a client receives. The date is that of the response. */
function received({ status, headers: { date: _, 'x-request-id': _id, ...headers }, text }: HttpReply) {
  return { status, headers, text };
}

describe.each(['public', 'private'] as const)('a deleted room that was %s', (kind) => {
  it('has the response of a room that does not exist, to the byte, for each request and everybody', async () => {
    const place = await world.place(kind);
    const message = await place.message();
    expect((await remove('owner', place)).status).toBe(204);
    for (const person of PEOPLE)
      for (const [name, request] of Object.entries(world.requests)) {
        const reply = received(await request(person, { ...place, message: async () => message }));
        expect(reply, `${name} by ${person}`).toEqual(received(await request(person, NOWHERE)));
      }
    expect(await world.isAmongAll('member', place)).toBe(false);
    expect(await world.isAmongOwn('member', place)).toBe(false);
  });

  it('closes for those who have it open; comes back with its members and its messages', async () => {
    const place = await world.place(kind);
    const login = async (name: 'member' | 'moderator') =>
      await logIn(world.server, ((await world.send(name, '/me')).json as { username: string }).username);
    const [member, moderator] = [await login('member'), await login('moderator')];
    const before = await readHistory(world.server, member, place.id);
    const [line, idle, v1] = await Promise.all([
      LineClient.start(world.server, member),
      LineClient.start(world.server, moderator),
      ChatClient.enter(world.server, moderator, place.id),
    ]);
    await line.look(place.id);
    await remove('owner', place);
    expect(await line.waitFor('gone')).toMatchObject({ room_id: place.id, reason: 'deleted' });
    expect(await idle.waitFor('gone')).toMatchObject({ room_id: place.id, reason: 'deleted' });
    expect((await v1.closed).code).toBe(4204);
    line.send({ type: 'message', room_id: place.id, content: 'into the void', cid: uniqueName('cid') });
    expect(await line.waitFor('error')).toMatchObject({ room_id: place.id, code: 'room_not_found' });

    expect((await restore('admin', place)).status).toBe(204);
    expect(await line.waitFor('room')).toMatchObject({ room: { id: place.id, kind, members: 5 } });
    expect(await readHistory(world.server, member, place.id)).toEqual(before);
    const { json: list } = await world.send('member', `/rooms/${place.id}/members`);
    expect((list as { members: unknown[] }).members).toHaveLength(5);
    const again = await LineClient.start(world.server, member);
    await again.look(place.id);
    expect((await again.post(place.id, 'back')).seq).toBeGreaterThan(before.length);
    await Promise.all([line, idle, again].map((client) => client.close()));
  });
});

describe('restoring', () => {
  it('brings a room back that everybody joins: those who come later join it again', async () => {
    const place = await world.place('public');
    await world.send('admin', `/rooms/${place.id}`, { method: 'PATCH', json: { is_default: true } });
    await remove('owner', place);
    const between = await signUp(world.server);
    expect((await restore('admin', place)).status).toBe(204);
    const later = await signUp(world.server);
    const names = async (login: Login) => {
      const line = await LineClient.start(world.server, login);
      const { rooms } = await line.waitFor('rooms');
      await line.close();
      return rooms.map(({ room }) => room.id);
    };
    expect(await names(between)).not.toContain(place.id);
    expect(await names(later)).toContain(place.id);
    await world.send('admin', `/rooms/${place.id}`, { method: 'PATCH', json: { is_default: false } });
  });

  it('is for admins, who see what can be restored, who did it, and when it is gone for good', async () => {
    const place = await world.place('private');
    await remove('owner', place);
    for (const person of ['owner', 'member', 'guest'] as const) {
      expectRefusal(await restore(person, place), 404, 'not found');
      expectRefusal(await world.send(person, '/admin/rooms/deleted'), 404, 'not found');
    }
    const { rooms } = (await world.send('admin', '/admin/rooms/deleted')).json as { rooms: DeletedRoom[] };
    const room = rooms.find(({ id }) => id === place.id);
    expect(room).toMatchObject({ kind: 'private', name: place.name, members: 5, messages: 2 });
    expect(Date.parse(room?.purged_at ?? '') - Date.parse(room?.deleted_at ?? '')).toBe(30 * 86_400_000);
    await restore('admin', place);
    expectRefusal(await restore('admin', place), 404, 'room not found');
    const { entries } = (await world.send('admin', '/admin/audit?limit=2')).json as { entries: object[] };
    expect(entries).toMatchObject([
      { action: 'room_restored', room: { id: place.id } },
      { action: 'room_deleted', actor: { user_id: world.userId('owner') }, room: { id: place.id } },
    ]);
  });

  it('the name of a public room is free meanwhile; where it is taken, another one is named', async () => {
    const place = await world.place('public');
    await remove('admin', place);
    expect(
      (await world.send('stranger', '/rooms', { method: 'POST', json: { name: place.name } })).status,
    ).toBe(201);
    expectRefusal(await restore('admin', place), 409, 'room name taken');
    const name = uniqueName('again');
    expect((await restore('admin', place, { name })).status).toBe(204);
    expect((await world.send('member', `/rooms/${place.id}`)).json).toMatchObject({ name, kind: 'public' });
  });

  it('does not bring back who had left before', async () => {
    const place = await world.place('public');
    await world.send('member', `/rooms/${place.id}/members/me`, { method: 'DELETE' });
    await remove('owner', place);
    await restore('admin', place);
    expect((await world.send('owner', `/rooms/${place.id}`)).json).toMatchObject({ members: 4 });
    expect(await world.isAmongOwn('member', place)).toBe(false);
  });
});
