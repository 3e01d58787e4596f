import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Flood, Store } from '../store.ts';
import { logIn } from './sessions.ts';
import {
  type ContractPart,
  DAY,
  looksOf,
  NOW,
  newPrivateRoom,
  newRoom,
  newUser,
  say,
  texts,
  unique,
} from './subject.ts';

let time = NOW;
/** Each test has a span of time of its own. */
const newTime = () => {
  time += 10;
  return time;
};

async function register(
  store: Store,
  address: string,
  now: number,
): Promise<{ id: number; username: string }> {
  const name = unique('new');
  const names = { username: name, key: name, ...looksOf(name) };
  const created = await store.createUser({ ...names, passwordHash: 'hash', address, now });
  assert(created.outcome === 'created');
  return created.user;
}

const floodAt = (at: number, more: Partial<Flood> = {}): Flood => ({
  ...{ since: at, until: at, address: '203.0.113.1', act: 'suspend', keep: [] },
  ...more,
});

const idsOf = async (store: Store, flood: Flood, limit = 100) =>
  (await store.registered({ actorId: null, flood, afterId: 0, limit }))?.map(({ id }) => id);

const end = (store: Store, userId: number, flood: Flood, auditId: number | null = null, accounts = 0) =>
  store.endRegistered({
    ...{ actorId: null, userId, flood, now: flood.until + 5 },
    run: { auditId, accounts, reason: 'Advertising' },
  });

export const describeRegistrations: ContractPart = (subject) => {
  describe('registrations', () => {
    it('are found by address and by time, both ends included', async () => {
      const { store } = subject();
      const at = newTime();
      const [early, first, last, late] = [
        await register(store, '203.0.113.1', at - 1),
        await register(store, '203.0.113.1', at),
        await register(store, '203.0.113.1', at + 2),
        await register(store, '203.0.113.1', at + 3),
      ];
      const other = await register(store, '2001:db8:1:2::/64', at + 1);
      const flood = floodAt(at, { until: at + 2 });
      expect(await idsOf(store, flood)).toEqual([first.id, last.id]);
      expect(await idsOf(store, flood, 1)).toEqual([first.id]);
      expect(await idsOf(store, { ...flood, address: undefined })).toEqual([first.id, last.id, other.id]);
      expect(await idsOf(store, floodAt(at - 1, { until: at + 3 }))).toHaveLength(4);
      const span = { actorId: null, since: at - 1, until: at + 3, limit: 9 };
      expect(await store.addresses(span)).toEqual([
        { address: '203.0.113.1', accounts: 4, suspended: 0, firstAt: at - 1, lastAt: at + 3 },
        { address: '2001:db8:1:2::/64', accounts: 1, suspended: 0, firstAt: at + 1, lastAt: at + 1 },
      ]);
      expect(await store.addresses({ ...span, userId: other.id })).toMatchObject([{ accounts: 1 }]);
      expect(await store.addresses({ ...span, limit: 1 })).toHaveLength(1);
      expect([early.id, late.id]).toHaveLength(2);
    });

    it('are nothing for somebody who is no admin', async () => {
      const { store } = subject();
      const at = newTime();
      const [user, other] = [await register(store, '203.0.113.1', at), await newUser(store)];
      const flood = floodAt(at);
      const actorId = other.id;
      expect(await store.addresses({ actorId, since: 0, until: at, limit: 9 })).toBeUndefined();
      expect(await store.registered({ actorId, flood, afterId: 0, limit: 9 })).toBeUndefined();
      expect(await store.countRegistered({ actorId, flood })).toBeUndefined();
      const run = { auditId: null, accounts: 0, reason: '' };
      const ended = await store.endRegistered({ actorId, userId: user.id, flood, run, now: at });
      expect(ended).toEqual({ outcome: 'not_found' });
    });

    it('are forgotten after 7 days', async () => {
      const { store } = subject();
      const at = newTime();
      const user = await register(store, '203.0.113.1', at);
      await store.purge({ now: at + 7 * DAY });
      expect(await idsOf(store, floodAt(at))).toEqual([user.id]);
      await store.purge({ now: at + 7 * DAY + 1 });
      expect(await idsOf(store, floodAt(at))).toEqual([]);
    });

    it('suspending them ends sessions and memberships, keeps texts, and has one row of the audit log', async () => {
      const { store } = subject();
      const at = newTime();
      const owner = await newUser(store);
      const [open, closed] = [await newRoom(store, owner.id), await newPrivateRoom(store, owner.id)];
      const people = [await register(store, '203.0.113.1', at), await register(store, '203.0.113.1', at)];
      const [one, two] = people;
      assert(one && two);
      for (const { id: userId } of people) await store.joinRoom({ roomId: open.id, userId, now: NOW });
      await store.setMember({ roomId: closed.id, actorId: owner.id, userId: one.id, now: NOW });
      await say(store, { roomId: open.id, userId: one.id }, texts(2));
      const { sessionId } = await logIn(store, one.id);
      const flood = floodAt(at);
      expect(await store.countRegistered({ actorId: null, flood })).toEqual({ accounts: 2, spared: 0 });

      const first = await end(store, one.id, flood);
      assert(first.outcome === 'changed');
      expect(first).toMatchObject({ ended: [sessionId], user: { username: one.username } });
      expect(first.notices).toMatchObject([
        { roomId: closed.id, notice: expect.stringContaining('removed') },
      ]);
      const second = await end(store, two.id, flood, first.auditId, 1);
      expect(second).toMatchObject({ outcome: 'changed', auditId: first.auditId });
      expect(await end(store, two.id, flood, first.auditId, 2)).toMatchObject({ outcome: 'unchanged' });

      expect(await store.findRoom(open.id)).toMatchObject({ members: 1, number: 2 });
      expect(await store.liveSessions({ userId: one.id, now: NOW })).toEqual([]);
      expect(await store.suspension(one.id)).toEqual({ at: at + 5, reason: '' });
      const audit = { viewerId: null, scope: { of: 'all' }, limit: 100, now: NOW } as const;
      const rows = (await store.audit(audit))?.filter(({ id }) => id >= first.auditId);
      expect(rows).toMatchObject([{ action: 'registrations_ended', user: null, room: null }]);
      expect(JSON.parse(rows?.[0]?.details ?? '')).toMatchObject({ accounts: 2, reason: 'Advertising' });
      expect(rows?.[0]?.details).not.toContain('203.0.113.1');
      const back = { actorId: null, userId: one.id, suspended: false, reason: '', now: at + 9 };
      expect((await store.setSuspended(back)).outcome).toBe('changed');
    });

    it('removing them takes those that are suspended, too, and deletes their texts later', async () => {
      const { store } = subject();
      const at = newTime();
      const user = await register(store, '203.0.113.1', at);
      await end(store, user.id, floodAt(at));
      expect(await idsOf(store, floodAt(at))).toEqual([]);
      const flood = floodAt(at, { act: 'remove' });
      expect(await idsOf(store, flood)).toEqual([user.id]);
      expect(await end(store, user.id, flood)).toMatchObject({ outcome: 'changed' });
      expect(await idsOf(store, flood)).toEqual([]);
      expect((await store.textsToDelete()).map(({ userId }) => userId)).toContain(user.id);
      await store.textsDeleted(user.id);
    });

    it('admins, named accounts and moderators of rooms of others are spared; those of its own rooms are not', async () => {
      const { store } = subject();
      const at = newTime();
      const at1 = '203.0.113.1';
      // The one has long been here, the other comes at the same time from elsewhere.
      const owners = [await newUser(store), await register(store, '203.0.113.2', at)];
      const [admin, named, moderator, colleague, maker, puppet, plain] = [
        await register(store, at1, at),
        await register(store, at1, at),
        await register(store, at1, at),
        await register(store, at1, at),
        await register(store, at1, at),
        await register(store, at1, at),
        await register(store, at1, at),
      ];
      await store.setRole({ actorId: null, userId: admin.id, role: 'admin', now: NOW });
      const makeModerator = async (roomId: number, actorId: number, userId: number) => {
        await store.joinRoom({ roomId, userId, now: NOW });
        const set = { roomId, actorId, userId, role: 'moderator', now: NOW } as const;
        expect((await store.setMember(set)).outcome).toBe('changed');
      };
      for (const [index, { id }] of [moderator, colleague].entries()) {
        const ownerId = owners[index]?.id ?? 0;
        await makeModerator((await newRoom(store, ownerId)).id, ownerId, id);
      }
      const own = await newRoom(store, maker.id);
      await makeModerator(own.id, maker.id, puppet.id);
      const flood = floodAt(at, { keep: [named.id] });
      expect(await idsOf(store, flood)).toEqual([maker.id, puppet.id, plain.id]);
      expect(await store.countRegistered({ actorId: null, flood })).toEqual({ accounts: 3, spared: 4 });
      for (const { id } of [named, moderator, colleague])
        expect(await end(store, id, flood)).toMatchObject({ outcome: 'unchanged' });
      expect((await end(store, admin.id, flood)).outcome).toBe('unchanged');
    });
  });
};
