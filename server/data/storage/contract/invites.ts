import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { type ContractPart, HOUR, NOW, newUser, newUsers, unique } from './subject.ts';

const NOWHERE = { outcome: 'invite_not_found' };

/** A private room and its owner. */
async function newPrivateRoom(store: Store) {
  const owner = await newUser(store);
  const name = unique('private');
  const created = await store.createRoom({
    ...{ name, key: name, looks: [name], isDisguised: false, kind: 'private', topic: '', emoji: '\u{1F98A}' },
    ...{ ownerId: owner.id, now: NOW, maxPerDay: 0 },
  });
  assert(created.outcome === 'created');
  return { owner, room: created.room, roomId: created.room.id };
}

interface Terms {
  roomId: number;
  createdBy: number;
  maxUses?: number | null;
  expiresAt?: number;
}

async function invite(store: Store, { roomId, createdBy, maxUses = null, expiresAt = NOW + HOUR }: Terms) {
  const codeHash = unique('code');
  const made = await store.createInvite({ codeHash, roomId, createdBy, expiresAt, maxUses, now: NOW });
  assert(made.outcome === 'created');
  return { codeHash, invite: made.invite };
}

export const describeInvites: ContractPart = (subject) => {
  describe('createInvite and liveInvites', () => {
    it('a member invites; the list has it until it expires, newest first', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const one = await invite(store, { roomId, createdBy: owner.id });
      const two = await invite(store, { roomId, createdBy: owner.id, maxUses: 3, expiresAt: NOW + 2 * HOUR });
      expect(two.invite).toEqual({
        ...{ id: expect.any(Number), roomId, expiresAt: NOW + 2 * HOUR, maxUses: 3, uses: 0 },
        createdBy: { userId: owner.id, username: owner.username },
      });
      expect(await store.liveInvites({ roomId, now: NOW })).toEqual([two.invite, one.invite]);
      await subject().reopen();
      expect(await subject().store.liveInvites({ roomId, now: NOW + HOUR })).toEqual([two.invite]);
    });

    it('to others the room does not exist', async () => {
      const { store } = subject();
      const { roomId } = await newPrivateRoom(store);
      const { id: createdBy } = await newUser(store);
      const terms = { codeHash: unique('code'), expiresAt: NOW + HOUR, maxUses: null, now: NOW };
      for (const where of [roomId, Number.MAX_SAFE_INTEGER])
        expect(await store.createInvite({ ...terms, roomId: where, createdBy })).toEqual({
          outcome: 'room_not_found',
        });
    });

    it('a room has 50 live ones at most; what is spent, expired or revoked does not count', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const brief = await invite(store, { roomId, createdBy: owner.id, expiresAt: NOW + 1 });
      for (let count = 1; count < 50; count++) await invite(store, { roomId, createdBy: owner.id });
      const next = (now: number) =>
        store.createInvite({
          ...{ codeHash: unique('code'), roomId, createdBy: owner.id, expiresAt: NOW + HOUR },
          ...{ maxUses: null, now },
        });
      expect(await next(NOW)).toEqual({ outcome: 'too_many' });
      expect(await next(brief.invite.expiresAt)).toMatchObject({ outcome: 'created' });
    });
  });

  describe('acceptInvite', () => {
    it('joins the room: the user is a member, invited by its maker, and the logs have it', async () => {
      const { store } = subject();
      const { owner, room, roomId } = await newPrivateRoom(store);
      const { codeHash } = await invite(store, { roomId, createdBy: owner.id });
      const { id: userId, username } = await newUser(store);
      const change = await store.acceptInvite({ codeHash, userId, now: NOW });
      expect(change).toMatchObject({ outcome: 'changed', room: { id: roomId, members: 2 } });
      assert(change.outcome === 'changed');
      expect(change.changes.map((one) => one.userId)).toContain(userId);
      expect(change.notices.map(({ seq }) => seq)).toEqual([room.seq + 1]);
      expect(JSON.parse(change.notices[0]?.notice ?? '')).toMatchObject({
        kind: 'joined',
        member: { user_id: userId, username, role: 'member' },
      });
      const standing = await store.standing({ roomId, userId });
      expect(standing?.member).toMatchObject({ role: 'member', leftAt: null, readSeq: room.seq + 1 });
    });

    it("a member's accept changes nothing and takes no use", async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const { codeHash } = await invite(store, { roomId, createdBy: owner.id, maxUses: 1 });
      for (let time = 0; time < 2; time++)
        expect(await store.acceptInvite({ codeHash, userId: owner.id, now: NOW })).toMatchObject({
          outcome: 'unchanged',
          room: { id: roomId, seq: 0 },
        });
      const { id: userId } = await newUser(store);
      expect(await store.acceptInvite({ codeHash, userId, now: NOW })).toMatchObject({ outcome: 'changed' });
    });

    it('of 50 racers for the last use one joins', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const { codeHash, invite: made } = await invite(store, { roomId, createdBy: owner.id, maxUses: 2 });
      await store.acceptInvite({ codeHash, userId: (await newUser(store)).id, now: NOW });
      expect((await store.liveInvites({ roomId, now: NOW }))[0]).toEqual({ ...made, uses: 1 });
      const users = await newUsers(store, 50);
      const accepts = users.map(({ id: userId }) => store.acceptInvite({ codeHash, userId, now: NOW }));
      const outcomes = (await Promise.all(accepts)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'invite_not_found')).toHaveLength(49);
      expect(await store.findRoom(roomId)).toMatchObject({ members: 3 });
      expect(await store.liveInvites({ roomId, now: NOW })).toEqual([]);
    });

    it('a code that is unknown, expired or revoked leads nowhere, and so does one of a maker who has left', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const { id: userId } = await newUser(store);
      const nowhere = async (codeHash: string, now = NOW) => {
        expect(await store.acceptInvite({ codeHash, userId, now })).toEqual(NOWHERE);
        expect(await store.findInvitation({ codeHash, now })).toBeUndefined();
      };
      await nowhere('');
      const { codeHash, invite: made } = await invite(store, { roomId, createdBy: owner.id });
      await nowhere(codeHash.toUpperCase());
      await nowhere(codeHash, made.expiresAt);
      const revoke = () => store.revokeInvite({ roomId, inviteId: made.id, actorId: owner.id, now: NOW });
      expect(await revoke()).toBe(true);
      expect(await revoke()).toBe(false);
      await nowhere(codeHash);
      const member = await newUser(store);
      await store.setMember({ roomId, actorId: owner.id, userId: member.id, now: NOW });
      const byMember = await invite(store, { roomId, createdBy: member.id });
      await store.leaveRoom({ roomId, userId: member.id, now: NOW });
      await nowhere(byMember.codeHash);
    });
  });

  describe('revokeInvite', () => {
    it('only within its room, and by users who may invite there', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const other = await newPrivateRoom(store);
      const { invite: made } = await invite(store, { roomId, createdBy: owner.id });
      const revoke = (where: number, actorId: number) =>
        store.revokeInvite({ roomId: where, inviteId: made.id, actorId, now: NOW });
      expect(await revoke(other.roomId, other.owner.id)).toBe(false);
      expect(await revoke(roomId, other.owner.id)).toBe(false);
      expect(await store.liveInvites({ roomId, now: NOW })).toHaveLength(1);
      expect(await revoke(roomId, owner.id)).toBe(true);
    });
  });

  describe('findInvitation', () => {
    it('names the first five members, without those who are suspended, banned or gone', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const people = await newUsers(store, 8);
      const [suspended, banned, gone, ...rest] = people;
      assert(suspended && banned && gone);
      const add = (userId: number) => store.setMember({ roomId, actorId: owner.id, userId, now: NOW });
      for (const { id } of people) await add(id);
      const { codeHash } = await invite(store, { roomId, createdBy: owner.id });
      const shown = async () =>
        (await store.findInvitation({ codeHash, now: NOW }))?.room?.people.map(({ username }) => username);
      const named = (all: readonly { username: string }[]) => all.slice(0, 5).map(({ username }) => username);
      expect(await shown()).toEqual(named([owner, ...people]));
      const by = { actorId: owner.id, now: NOW };
      const terms = { suspended: true, reason: '' };
      await store.setSuspended({ actorId: null, userId: suspended.id, ...terms, now: NOW });
      await store.ban({ ...by, roomId, userId: banned.id, until: NOW + HOUR, reason: '' });
      await store.leaveRoom({ roomId, userId: gone.id, now: NOW });
      expect(await shown()).toEqual(named([owner, ...rest]));
      const first = rest[0];
      assert(first);
      await store.changeProfile({ userId: first.id, displayName: 'Åse' });
      const found = await store.findInvitation({ codeHash, now: NOW });
      expect(found?.room?.people[1]).toEqual({ username: first.username, displayName: 'Åse' });
    });

    it('shows nobody of a room once its maker has left it', async () => {
      const { store } = subject();
      const { owner, roomId } = await newPrivateRoom(store);
      const maker = await newUser(store);
      await store.setMember({ roomId, actorId: owner.id, userId: maker.id, now: NOW });
      const { codeHash } = await invite(store, { roomId, createdBy: maker.id });
      expect(await store.findInvitation({ codeHash, now: NOW })).toBeDefined();
      await store.leaveRoom({ roomId, userId: maker.id, now: NOW });
      expect(await store.findInvitation({ codeHash, now: NOW })).toBeUndefined();
    });

    it('returns the room, its size and the inviter', async () => {
      const { store } = subject();
      const { owner, room, roomId } = await newPrivateRoom(store);
      const { codeHash } = await invite(store, { roomId, createdBy: owner.id });
      expect(await store.findInvitation({ codeHash, now: NOW })).toEqual({
        room: {
          ...{ id: roomId, name: room.name, emoji: '\u{1F98A}', hue: null, topic: '', members: 1 },
          people: [{ username: owner.username, displayName: '' }],
        },
        inviter: { username: owner.username, displayName: '' },
      });
    });
  });

  it('an invitation of the operator outlives the account that stands in its row', async () => {
    const { store } = subject();
    await newUser(store);
    const codeHash = unique('code');
    const terms = { codeHash, expiresAt: NOW + HOUR, maxUses: null, now: NOW };
    expect(await store.createServerInvite({ ...terms, actorId: null })).toMatchObject({ outcome: 'created' });
    const found = { room: null, inviter: null };
    expect(await store.findInvitation({ codeHash, now: NOW })).toEqual(found);
    const invites = await store.serverInvites({ actorId: null, now: NOW });
    const userId = invites?.[0]?.createdBy?.id ?? 0;
    await store.removeUser({ actorId: null, userId, deletesTexts: false, reason: '', now: NOW });
    expect(await store.findInvitation({ codeHash, now: NOW })).toEqual(found);
  });
};
