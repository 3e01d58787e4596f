/** Guests of the server are in the rooms that they were added to, and see only the people there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usersResponse } from '../../protocol/rest/people.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { AccessWorld } from './access-world.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.make();
}, 60_000);
afterAll(async () => await world?.server.dispose());

/** `visitor` shares a room with `owner` and `outsider`; `guest` is in no room. */
async function seenBy(person: 'visitor' | 'guest' | 'stranger', query: string): Promise<number[]> {
  const reply = await world.send(person, `/users?${query}`);
  return expectReply(reply, 200, usersResponse).users.map(({ id }) => id);
}

describe('GET /api/v1/users by a guest', () => {
  test('has only the people with whom the guest shares a room', async () => {
    const everybody = (['stranger', 'owner', 'outsider', 'visitor'] as const).map((name) =>
      world.userId(name),
    );
    const [, owner, outsider, visitor] = everybody;
    const ids = `ids=${everybody.join()}`;
    expect(await seenBy('stranger', ids)).toEqual([...everybody].sort((a, b) => a - b));
    expect(new Set(await seenBy('visitor', ids))).toEqual(new Set([owner, outsider, visitor]));
    expect(new Set(await seenBy('visitor', 'q='))).toEqual(new Set([owner, outsider, visitor]));
    expect(await seenBy('guest', ids)).toEqual([]);
    expect(await seenBy('guest', 'q=')).toEqual([]);
  });
});

describe('a guest', () => {
  test('blocks only people whom the guest sees', async () => {
    const block = (name: 'stranger' | 'outsider') =>
      world.send('visitor', `/me/blocks/${world.userId(name)}`, { method: 'PUT' });
    expectRefusal(await block('stranger'), 404, 'user not found');
    expect((await block('outsider')).status).toBe(204);
    const unblock = (id: number) => world.send('visitor', `/me/blocks/${id}`, { method: 'DELETE' });
    for (const id of [world.userId('stranger'), 999_999_999])
      expectRefusal(await unblock(id), 404, 'user not found');
    expect((await unblock(world.userId('outsider'))).status).toBe(204);
  });

  test('learns nothing of an account from the refusal of a direct conversation', async () => {
    for (const id of [world.userId('stranger'), world.userId('outsider'), 999_999_999]) {
      const reply = await world.send('visitor', '/dms', { method: 'POST', json: { user_ids: [id] } });
      expectRefusal(reply, 403, 'not allowed');
    }
  });

  test('adds only people whom the guest sees', async () => {
    const { id } = await world.place('public');
    const add = (name: 'stranger' | 'outsider') =>
      world.send('visitor', `/rooms/${id}/members/${world.userId(name)}`, { method: 'PUT' });
    expectRefusal(await add('stranger'), 404, 'user not found');
    expect((await add('outsider')).status).toBe(200);
  });

  test('mentions only people whom the guest sees', async () => {
    const place = await world.place('public');
    expect(await world.mentionedBy('visitor', place, ['stranger', 'outsider', 'visitor'])).toEqual([
      world.userId('outsider'),
      world.userId('visitor'),
    ]);
    expect(await world.mentionedBy('member', place, ['stranger'])).toEqual([world.userId('stranger')]);
  });

  test('makes no rooms and begins no conversations', async () => {
    const post = (path: string, json: object) => world.send('visitor', path, { method: 'POST', json });
    expectRefusal(await post('/rooms', { name: 'mine' }), 403, 'not allowed');
    expectRefusal(await post('/dms', { user_ids: [world.userId('owner')] }), 403, 'not allowed');
  });
});
