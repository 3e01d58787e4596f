import { describe, expect, it } from 'vitest';
import { type ContractPart, NOW, newRoom, newUser, newUsers, say } from './subject.ts';

export const describeHeads: ContractPart = (subject) => {
  describe('heads', () => {
    it('the head of a room is the number of its last durable event, of texts and of notices alike', async () => {
      const { store } = subject();
      const owner = await newUser(store);
      const [quiet, busy] = [await newRoom(store, owner.id), await newRoom(store, owner.id)];
      await say(store, { roomId: busy.id, userId: owner.id }, ['one', 'two']);
      const renaming = { roomId: busy.id, actorId: owner.id, patch: { topic: 'news' }, now: NOW };
      expect(await store.changeRoom(renaming)).toMatchObject({ outcome: 'changed', room: { seq: 3 } });
      const { rooms } = await store.heads({ roomIds: [busy.id, quiet.id], userIds: [] });
      expect(rooms).toHaveLength(2);
      expect(rooms).toContainEqual({ roomId: quiet.id, seq: 0 });
      expect(rooms).toContainEqual({ roomId: busy.id, seq: 3 });
    });

    it("the head of a user's log is its last number; a user whose log is empty is left out", async () => {
      const { store } = subject();
      const [owner, stranger] = [await newUser(store), await newUser(store)];
      const room = await newRoom(store, owner.id);
      await store.setPrefs({ roomId: room.id, userId: owner.id, starred: true });
      const { users } = await store.heads({ roomIds: [], userIds: [owner.id, stranger.id] });
      const { seq } = await store.userLog({ userId: owner.id, after: 0, limit: 10 });
      expect(users).toEqual([{ userId: owner.id, seq }]);
      expect(seq).toBe(2);
    });

    it('the epoch is always there and stays; unknown rooms and users are left out', async () => {
      const { store } = subject();
      const nothing = await store.heads({ roomIds: [], userIds: [] });
      expect(nothing).toEqual({ epoch: expect.stringMatching(/./), rooms: [], users: [] });
      const unknown = Number.MAX_SAFE_INTEGER;
      expect(await store.heads({ roomIds: [unknown, -1], userIds: [unknown] })).toEqual(nothing);
    });

    it('1000 ids of each kind are one query', async () => {
      const { store } = subject();
      const [one, two] = await newUsers(store, 2);
      const room = await newRoom(store, one?.id ?? 0);
      const ids = (from: number) => Array.from({ length: 999 }, (_, index) => 1_000_000_000 + from + index);
      const heads = await store.heads({
        roomIds: [...ids(0), room.id],
        userIds: [one?.id ?? 0, ...ids(0).slice(1), two?.id ?? 0],
      });
      expect(heads.rooms).toEqual([{ roomId: room.id, seq: 0 }]);
      expect(heads.users).toEqual([{ userId: one?.id, seq: 1 }]);
    });
  });
};
