import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { logIn } from './sessions.ts';
import {
  type ContractPart,
  DAY,
  NOW,
  newPrivateRoom,
  newRoom,
  newUser,
  say,
  texts,
  unique,
  wholeRoom,
} from './subject.ts';

const remove = { actorId: null, deletesTexts: false, reason: '', now: NOW } as const;

export const describeRemoval: ContractPart = (subject) => {
  describe('removing an account', () => {
    it('leaves nothing of the person but what they said, under a name that nobody can have', async () => {
      const { store } = subject();
      const name = unique('gone');
      const [user, other] = [await newUser(store, name), await newUser(store)];
      const room = await newRoom(store, user.id);
      const at = { roomId: room.id, userId: user.id };
      await say(store, at, texts(2));
      await store.joinRoom({ roomId: room.id, userId: other.id, now: NOW });
      const { sessionId } = await logIn(store, user.id);
      await store.setBlock({ userId: user.id, blockedId: other.id, isBlocked: true });
      const [message] = await wholeRoom(store, room.id);
      assert(message);
      const target = { roomId: room.id, messageId: message.id, actorId: user.id, now: NOW };
      await store.save({ ...target, on: true });

      const removed = await store.removeUser({ ...remove, userId: user.id });
      assert(removed.outcome === 'changed');
      expect(removed).toMatchObject({ ended: [sessionId], user: { username: `Removed user ${user.id}` } });
      expect(removed.changes.map(({ userId }) => userId)).toContain(user.id);
      expect(await store.findUser(name)).toBeUndefined();
      expect(await store.profiles([user.id])).toMatchObject([
        { username: `Removed user ${user.id}`, kind: 'removed', displayName: '', status: null },
      ]);
      expect(await store.blockedBy(user.id)).toEqual([]);
      expect((await store.saved({ userId: user.id, limit: 9, now: NOW })).bookmarks).toEqual([]);
      expect(await store.liveSessions({ userId: user.id, now: NOW })).toEqual([]);
      const said = (await wholeRoom(store, room.id)).filter(({ notice }) => notice === null);
      expect(said.map(({ username, content }) => [username, content])).toEqual(
        texts(2).map((content) => [`Removed user ${user.id}`, content]),
      );
      // The other one owns the room now.
      expect(await store.members({ roomId: room.id, limit: 9 })).toMatchObject([
        { userId: other.id, role: 'owner' },
      ]);
      expect(await store.findRoom(room.id)).toMatchObject({ members: 1 });
      // The name is free, and nobody reaches the account.
      expect((await newUser(store, name)).id).not.toBe(user.id);
      expect(
        (await store.createDm({ userIds: [user.id, other.id], makerId: other.id, now: NOW, maxPerDay: 0 }))
          .outcome,
      ).toBe('user_not_found');
      const add = { roomId: room.id, actorId: other.id, userId: user.id, now: NOW };
      expect((await store.setMember(add)).outcome).toBe('user_not_found');
      const rows = await store.audit({
        viewerId: null,
        scope: { of: 'all', userId: user.id },
        limit: 9,
        now: NOW,
      });
      expect(rows?.map(({ action, details }) => [action, JSON.parse(details)])).toEqual([
        ['user_removed', { texts: 'kept' }],
      ]);
      expect((await store.removeUser({ ...remove, userId: user.id })).outcome).toBe('unchanged');
    });

    it('names the account until its texts are deleted; those of others stay', async () => {
      const { store } = subject();
      const [user, other] = [await newUser(store), await newUser(store)];
      const room = await newRoom(store, other.id);
      await store.joinRoom({ roomId: room.id, userId: user.id, now: NOW });
      for (const { id } of [user, other]) await say(store, { roomId: room.id, userId: id }, texts(3));
      await store.removeUser({ ...remove, userId: user.id, deletesTexts: true });
      const left = (await store.textsToDelete()).find(({ userId }) => userId === user.id);
      expect(left?.roomIds).toContain(room.id);
      const query = { roomId: room.id, afterSeq: 0, before: NOW + DAY, limit: 100, now: NOW };
      const { messageIds } = await store.oldTexts({ ...query, userId: user.id });
      expect(messageIds).toHaveLength(3);
      expect((await store.oldTexts(query)).messageIds).toHaveLength(6);
      await store.textsDeleted(user.id);
      expect((await store.textsToDelete()).map(({ userId }) => userId)).not.toContain(user.id);
    });

    it('names each room in which the person may have said something: public ones, also deleted, and those they were in', async () => {
      const { store } = subject();
      const [user, other] = [await newUser(store), await newUser(store)];
      const [foreign, deleted, past] = [
        await newRoom(store, other.id),
        await newRoom(store, user.id),
        await newPrivateRoom(store, other.id),
      ];
      const hidden = await newPrivateRoom(store, other.id);
      // Without a membership, as by the protocol chatroom.v1.
      await say(store, { roomId: foreign.id, userId: user.id }, texts(1));
      await store.deleteRoom({ roomId: deleted.id, actorId: user.id, now: NOW });
      const member = { roomId: past.id, actorId: other.id, userId: user.id, now: NOW };
      assert((await store.setMember(member)).outcome === 'changed');
      assert((await store.removeMember(member)).outcome === 'changed');
      await store.removeUser({ ...remove, userId: user.id, deletesTexts: true });
      const left = (await store.textsToDelete()).find(({ userId }) => userId === user.id);
      for (const { id } of [foreign, deleted, past]) expect(left?.roomIds).toContain(id);
      expect(left?.roomIds).not.toContain(hidden.id);
      await store.textsDeleted(user.id);
    });

    it('takes the name out of earlier notices', async () => {
      const { store } = subject();
      const name = unique('gone');
      const [user, other] = [await newUser(store, name), await newUser(store)];
      const { id: roomId } = await newPrivateRoom(store, other.id);
      assert(
        (await store.setMember({ roomId, actorId: other.id, userId: user.id, now: NOW })).outcome ===
          'changed',
      );
      const people = async () =>
        (await wholeRoom(store, roomId)).map(({ notice }) => {
          const { kind, by, member } = JSON.parse(notice ?? '{}');
          return [kind, by.username, member.username];
        });
      expect(await people()).toEqual([['added', other.username, name]]);
      await store.removeUser({ ...remove, userId: user.id });
      const [, by] = (await people())[0] ?? [];
      expect(await people()).toEqual([
        ['added', by, `Removed user ${user.id}`],
        ['removed', expect.any(String), `Removed user ${user.id}`],
      ]);
    });

    it('keeps the account out of a room that is restored later, and the room gets another owner', async () => {
      const { store } = subject();
      const [user, other] = [await newUser(store), await newUser(store)];
      const { id: roomId, name } = await newRoom(store, user.id);
      await store.joinRoom({ roomId, userId: other.id, now: NOW });
      await store.deleteRoom({ roomId, actorId: user.id, now: NOW });
      await store.removeUser({ ...remove, userId: user.id });
      const names = { name, key: name.toLowerCase(), looks: [name], isDisguised: false };
      const restored = await store.restoreRoom({ roomId, actorId: null, names, now: NOW });
      assert(restored.outcome === 'changed');
      expect(restored.room.members).toBe(1);
      expect(await store.members({ roomId, limit: 9 })).toMatchObject([{ userId: other.id, role: 'owner' }]);
    });

    it('is for those above the person', async () => {
      const { store } = subject();
      const [user, other] = [await newUser(store), await newUser(store)];
      await store.setRole({ actorId: null, userId: other.id, role: 'admin', now: NOW });
      await store.setRole({ actorId: null, userId: user.id, role: 'admin', now: NOW });
      expect(await store.removeUser({ ...remove, actorId: other.id, userId: user.id })).toEqual({
        outcome: 'not_allowed',
      });
      await store.setRole({ actorId: null, userId: other.id, role: 'member', now: NOW });
      expect(await store.removeUser({ ...remove, actorId: other.id, userId: user.id })).toEqual({
        outcome: 'not_found',
      });
      await store.setRole({ actorId: null, userId: user.id, role: 'member', now: NOW });
    });
  });
};
