/** A room that a user may not see cannot be distinguished from one that does not exist. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpReply } from '../support/http.ts';
import type { PersonName } from './access-matrix.ts';
import { AccessWorld, type Place } from './access-world.ts';

const NOWHERE: Place = {
  id: 4_000_000_000,
  name: 'nowhere',
  invite: { id: 4_000_000_000, code: '' },
  message: async () => 4_000_000_000,
  file: async () => ({ key: 'A'.repeat(22), messageId: 4_000_000_000 }),
};
/** An invitation is known by its code alone. */
const BY_CODE = 'accept an invitation';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.make();
}, 60_000);
afterAll(async () => await world?.server.dispose());

/** All that a client receives. The date is that of the response. */
function received({ status, headers: { date: _, 'x-request-id': _id, ...headers }, text }: HttpReply) {
  return { status, headers, text };
}

describe.each([
  ['stranger', 'private'],
  ['guest', 'private'],
  ['stranger', 'dm'],
  ['admin', 'dm'],
  ['guest', 'public'],
] as [PersonName, 'private' | 'dm' | 'public'][])('to a %s, a room that is %s', (person, kind) => {
  it('has the response of a room that does not exist, to the byte, for each request', async () => {
    const place = await world.place(kind);
    for (const [name, request] of Object.entries(world.requests)) {
      if (name === BY_CODE) continue;
      const reply = received(await request(person, place));
      expect(reply, name).toEqual(received(await request(person, NOWHERE)));
      // The path of a file names no room.
      expect(reply.text).toBe(`{"error":"${name === 'open a file' ? 'file' : 'room'} not found"}`);
    }
  });
});

describe('the name of a private room', () => {
  it('is found by its members alone, and is free for a public room', async () => {
    const { name } = await world.place('private');
    const found = async (person: PersonName) => {
      const { json } = await world.send(person, `/rooms?q=${encodeURIComponent(name)}`);
      return (json as { rooms: unknown[] }).rooms.length;
    };
    expect(await found('member')).toBe(1);
    for (const person of ['stranger', 'guest', 'admin'] as const) expect(await found(person)).toBe(0);
    const made = await world.send('stranger', '/rooms', { method: 'POST', json: { name } });
    expect(made.status).toBe(201);
  });

  it('does not stand in the way of another private room or of a new name', async () => {
    const { name } = await world.place('private');
    for (const kind of ['private', 'public'] as const) {
      const other = await world.place(kind);
      const renamed = await world.send('owner', `/rooms/${other.id}`, { method: 'PATCH', json: { name } });
      expect(renamed.status).toBe(200);
    }
  });
});

describe('an admin outside of a private room', () => {
  it('sees its name and size, and nothing else', async () => {
    const place = await world.place('private');
    await world.requests['change the topic']?.('owner', place);
    const reply = await world.send('admin', `/rooms/${place.id}`);
    expect(reply.json).toEqual({
      ...{ id: place.id, kind: 'private', name: place.name, members: 5, archived: false },
      ...{ topic: '', description: '', emoji: null, hue: null, settings: {}, online: 0, seq: 0, number: 0 },
    });
  });
});

describe('an invitation that leads nowhere', () => {
  it('has one response, whether it is unknown, expired, spent or revoked, or its maker may not invite', async () => {
    const { id } = await world.place('private');
    const invite = async (terms: object) => {
      const made = await world.send('owner', `/rooms/${id}/invites`, { method: 'POST', json: terms });
      return made.json as Place['invite'];
    };
    const [spent, revoked] = [await invite({ max_uses: 1 }), await invite({})];
    await world.requests[BY_CODE]?.('outsider' as PersonName, { ...NOWHERE, invite: spent });
    await world.send('owner', `/rooms/${id}/invites/${revoked.id}`, { method: 'DELETE' });
    const archived = await world.place('archived');
    const codes = ['A'.repeat(22), '!', 'x'.repeat(128), spent.code, revoked.code, archived.invite.code];
    const replies = await Promise.all(
      codes.flatMap((code) => [
        world.send('stranger', `/invites/${code}`),
        world.send('stranger', `/invites/${code}/accept`, { method: 'POST' }),
      ]),
    );
    const [first, ...others] = replies.map(received);
    expect(first).toMatchObject({ status: 404, text: '{"error":"invite not found"}' });
    for (const reply of others) expect(reply).toEqual(first);
  });
});
