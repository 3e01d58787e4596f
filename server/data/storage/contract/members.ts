import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { RoomRole } from '../../../../protocol/rooms.ts';
import { searchForm } from '../../../../protocol/search/names.ts';
import { verdictOn } from '../../../rules/standing.ts';
import type { RoomChange, Store } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUser, newUsers, roomOf, say, texts, unique } from './subject.ts';

type Changed = Extract<RoomChange, { outcome: 'changed' }>;

/** The kinds of a change's notices. */
function kindsOf(change: RoomChange): string[] {
  assert(change.outcome === 'changed', change.outcome);
  return change.notices.map(({ notice }) => JSON.parse(notice ?? '').kind);
}

function usersOf({ changes }: Changed): number[] {
  return changes.map(({ userId }) => userId);
}

export const describeMembers: ContractPart = (subject) => {
  /** A room with its owner, a moderator and a member; nobody else is in it. */
  async function furnished(kind: 'public' | 'private' = 'public') {
    const { store } = subject();
    const [owner, moderator, member, other] = await newUsers(store, 4);
    assert(owner && moderator && member && other);
    const created = await store.createRoom(roomOf(owner.id, unique('room'), { kind }));
    assert(created.outcome === 'created');
    const roomId = created.room.id;
    const set = (actorId: number, userId: number, role?: RoomRole) =>
      store.setMember({ roomId, actorId, userId, role, now: NOW });
    const remove = (actorId: number, userId: number) =>
      store.removeMember({ roomId, actorId, userId, now: NOW });
    const join = (userId: number) => store.joinRoom({ roomId, userId, now: NOW });
    const leave = (userId: number) => store.leaveRoom({ roomId, userId, now: NOW });
    await set(owner.id, moderator.id, 'moderator');
    await set(owner.id, member.id);
    const seq = (await store.findRoom(roomId))?.seq ?? 0;
    const memberOf = async (userId: number) => (await store.standing({ roomId, userId }))?.member;
    return { store, roomId, seq, owner, moderator, member, other, set, remove, join, leave, memberOf };
  }

  const rolesOf = async (store: Store, roomId: number) =>
    (await store.members({ roomId, limit: 100 })).map(({ userId, role }) => [userId, role]);

  describe('joinRoom and leaveRoom', () => {
    it('a public room: silent, without a number; a repeat changes nothing', async () => {
      const { store, roomId, seq, other, join, leave, memberOf } = await furnished();
      const joined = await join(other.id);
      assert(joined.outcome === 'changed');
      expect(joined).toMatchObject({ room: { seq, members: 4 }, notices: [] });
      expect(usersOf(joined)).toEqual([other.id]);
      expect(await memberOf(other.id)).toMatchObject({
        ...{ role: 'member', joinedAt: NOW, leftAt: null, readSeq: seq },
        userSeq: joined.changes[0]?.userSeq,
      });
      expect(await join(other.id)).toMatchObject({ outcome: 'unchanged', room: { members: 4 } });
      const left = await leave(other.id);
      assert(left.outcome === 'changed');
      expect(left).toMatchObject({ room: { seq, members: 3 }, notices: [] });
      expect(await memberOf(other.id)).toMatchObject({ leftAt: NOW });
      expect(await leave(other.id)).toEqual({ outcome: 'not_allowed' });
      expect(await store.findRoom(roomId)).toMatchObject({ seq, members: 3 });
    });

    it('a private room: to others it does not exist; leaving it is a notice', async () => {
      const { roomId, seq, member, other, join, leave } = await furnished('private');
      expect(await join(other.id)).toEqual({ outcome: 'room_not_found' });
      expect(await leave(other.id)).toEqual({ outcome: 'room_not_found' });
      const left = await leave(member.id);
      assert(left.outcome === 'changed');
      const { id: userId, username } = member;
      const person = { user_id: userId, username };
      expect(left.room).toMatchObject({ seq: seq + 1, number: 0, members: 2 });
      expect(left.notices).toEqual([
        {
          ...{ id: expect.any(Number), roomId, seq: seq + 1, changedSeq: seq + 1, cid: null, content: '' },
          ...{ userId, username, createdAt: NOW, notice: expect.any(String), facts: null },
        },
      ]);
      expect(JSON.parse(left.notices[0]?.notice ?? '')).toEqual({
        ...{ kind: 'left', by: person, member: { ...person, role: null } },
      });
      expect(await leave(member.id)).toEqual({ outcome: 'room_not_found' });
    });

    it('a former member who joins again has read everything, and is a plain member', async () => {
      const { store, roomId, moderator, leave, join, memberOf } = await furnished();
      await leave(moderator.id);
      const [last] = (await say(store, { roomId, userId: moderator.id }, texts(3))).slice(-1);
      await join(moderator.id);
      expect(await memberOf(moderator.id)).toMatchObject({
        ...{ role: 'member', leftAt: null, readSeq: last?.seq },
      });
      expect(await store.unread({ userId: moderator.id, roomIds: [roomId] })).toMatchObject([{ unread: 0 }]);
    });

    it('by posting: the same, silent in public rooms, refused in private ones', async () => {
      const { store, roomId, seq, other } = await furnished();
      const silent = { roomId, userId: other.id, now: NOW, isSilent: true };
      expect(await store.joinRoom(silent)).toMatchObject({ outcome: 'changed', room: { seq }, notices: [] });
      const closed = await furnished('private');
      expect(await store.joinRoom({ ...silent, roomId: closed.roomId })).toEqual({
        outcome: 'room_not_found',
      });
    });

    it('the last owner cannot leave, step down or be removed', async () => {
      const { owner, member, leave, set, remove } = await furnished();
      expect(await leave(owner.id)).toEqual({ outcome: 'last_owner' });
      expect(await set(owner.id, owner.id, 'member')).toEqual({ outcome: 'last_owner' });
      expect(await remove(owner.id, owner.id)).toEqual({ outcome: 'last_owner' });
      await set(owner.id, member.id, 'owner');
      expect(await leave(owner.id)).toMatchObject({ outcome: 'changed' });
      expect(await leave(member.id)).toEqual({ outcome: 'last_owner' });
    });

    it('of two owners who leave at once, one stays', async () => {
      const { owner, member, set, leave } = await furnished();
      await set(owner.id, member.id, 'owner');
      const outcomes = await Promise.all([leave(owner.id), leave(member.id)]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['changed', 'last_owner']);
    });

    it('there is no such room, no such user', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const nowhere = Number.MAX_SAFE_INTEGER;
      const { id: roomId } = await newRoom(store, userId);
      expect(await store.joinRoom({ roomId: nowhere, userId, now: NOW })).toEqual({
        outcome: 'room_not_found',
      });
      expect(await store.joinRoom({ roomId, userId: nowhere, now: NOW })).toEqual({
        outcome: 'user_not_found',
      });
      const absent = await store.standing({ roomId: nowhere, userId });
      expect(absent).toMatchObject({ isAbsent: true, member: null });
      for (const userRole of ['admin', 'member', 'guest'] as const)
        for (const action of ['see', 'read', 'join', 'own'] as const)
          expect(absent && verdictOn(action, { ...absent, userRole }, NOW)).toBe('hidden');
      expect(await store.standing({ roomId, userId: nowhere })).toBeUndefined();
    });
  });

  describe('setMember and removeMember', () => {
    it.each(['public', 'private'] as const)(
      'in a %s room: adding, a role and a removal by somebody else are notices, each in one log of a user',
      async (kind) => {
        const { store, roomId, seq, owner, moderator, member, other, set, remove } = await furnished(kind);
        const added = await set(member.id, other.id);
        const raised = await set(owner.id, other.id, 'moderator');
        const lowered = await set(owner.id, other.id, 'member');
        const removed = await remove(moderator.id, other.id);
        const changes = [added, raised, lowered, removed];
        expect(changes.map(kindsOf)).toEqual([['added'], ['role'], ['role'], ['removed']]);
        for (const [index, change] of changes.entries()) {
          assert(change.outcome === 'changed');
          expect(change.room.seq).toBe(seq + 1 + index);
          expect(usersOf(change)).toEqual([other.id]);
        }
        expect(await rolesOf(store, roomId)).toEqual([
          [owner.id, 'owner'],
          [moderator.id, 'moderator'],
          [member.id, 'member'],
        ]);
        expect(await store.findRoom(roomId)).toMatchObject({ members: 3, seq: seq + 4 });
      },
    );

    it('a repeat takes no number', async () => {
      const { seq, owner, moderator, member, other, set, remove } = await furnished();
      const same = { outcome: 'unchanged', room: { seq } };
      expect(await set(owner.id, member.id)).toMatchObject(same);
      expect(await set(owner.id, moderator.id, 'moderator')).toMatchObject(same);
      expect(await remove(owner.id, other.id)).toMatchObject(same);
    });

    it('somebody is removed by a higher role only, and roles are given by owners only', async () => {
      const { owner, moderator, member, other, set, remove } = await furnished();
      const refused = { outcome: 'not_allowed' };
      expect(await remove(member.id, moderator.id)).toEqual(refused);
      expect(await remove(moderator.id, owner.id)).toEqual(refused);
      expect(await remove(moderator.id, moderator.id)).toMatchObject({ outcome: 'changed' });
      expect(await set(member.id, other.id, 'moderator')).toEqual(refused);
      expect(await set(member.id, member.id, 'owner')).toEqual(refused);
      expect(await set(other.id, other.id)).toEqual(refused);
      expect(await set(owner.id, Number.MAX_SAFE_INTEGER)).toEqual({ outcome: 'user_not_found' });
    });

    it('the removed see a private room no more, and may not post', async () => {
      const { store, roomId, owner, member, remove } = await furnished('private');
      const message = { roomId, userId: member.id, cid: null, content: 'hello', now: NOW };
      const [before, removed, after] = await Promise.all([
        store.append(message),
        remove(owner.id, member.id),
        store.append(message),
      ]);
      expect([before.outcome, removed.outcome, after.outcome]).toEqual([
        ...['stored', 'changed', 'room_not_found'],
      ]);
    });

    it('of 50 who add one person at once, one does', async () => {
      const { store, roomId, owner, other, set } = await furnished();
      const racers = await Promise.all(Array.from({ length: 50 }, () => set(owner.id, other.id)));
      expect(racers.filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
      expect(await store.findRoom(roomId)).toMatchObject({ members: 4 });
    });
  });

  describe('members', () => {
    it('by id, in pages that meet; with the beginning of a name, taken literally', async () => {
      const { store, roomId, owner, moderator, member } = await furnished();
      const idsOf = async (query: object) =>
        (await store.members({ roomId, limit: 2, ...query })).map(({ userId }) => userId);
      expect(await idsOf({})).toEqual([owner.id, moderator.id]);
      expect(await idsOf({ afterId: moderator.id })).toEqual([member.id]);
      expect(await idsOf({ start: searchForm(member.username) })).toEqual([member.id]);
      await store.changeProfile({ userId: owner.id, displayName: 'Someone Else' });
      expect(await idsOf({ start: 'els' })).toEqual([owner.id]);
      expect(await idsOf({ start: '%' })).toEqual([]);
      expect(await idsOf({ roomId: Number.MAX_SAFE_INTEGER })).toEqual([]);
    });
  });

  describe('a cap', () => {
    it('of 500 memberships: the next join, addition and room are refused; leaving makes place', async () => {
      const { store } = subject();
      const [owner, user] = [await newUser(store), await newUser(store)];
      // A slow machine refuses what has waited for too long, so not all at once.
      const make = (count: number) =>
        Promise.allSettled(Array.from({ length: count }, () => newRoom(store, owner.id, unique('many'))));
      const rooms = [];
      for (let batch = 0; batch < 9; batch++) rooms.push(...(await make(50)));
      rooms.push(...(await make(51)));
      // The owner is at the cap with the 500th room.
      const made = rooms.filter(({ status }) => status === 'fulfilled');
      expect(made).toHaveLength(500);
      const second = await newUser(store);
      const late = await newRoom(store, second.id);
      const ids = made.map((room) => (room.status === 'fulfilled' ? room.value.id : 0));
      for (const roomId of ids) await store.joinRoom({ roomId, userId: user.id, now: NOW });
      const [first = 0] = ids;
      const join = () => store.joinRoom({ roomId: late.id, userId: user.id, now: NOW });
      expect(await join()).toEqual({ outcome: 'too_many' });
      const add = { roomId: late.id, actorId: second.id, userId: user.id, now: NOW };
      expect(await store.setMember(add)).toEqual({ outcome: 'too_many' });
      await store.leaveRoom({ roomId: first, userId: user.id, now: NOW });
      expect(await join()).toMatchObject({ outcome: 'changed' });
    });
  });
};
