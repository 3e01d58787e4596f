import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { logIn } from './sessions.ts';
import { type ContractPart, DAY, NOW, newRoom, newUser, say, texts, unique, wholeRoom } from './subject.ts';

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
      expect(await store.textsToDelete()).toContainEqual({ userId: user.id, roomIds: [room.id] });
      const query = { roomId: room.id, afterSeq: 0, before: NOW + DAY, limit: 100 };
      const { messageIds } = await store.oldTexts({ ...query, userId: user.id });
      expect(messageIds).toHaveLength(3);
      expect((await store.oldTexts(query)).messageIds).toHaveLength(6);
      await store.textsDeleted(user.id);
      expect((await store.textsToDelete()).map(({ userId }) => userId)).not.toContain(user.id);
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
