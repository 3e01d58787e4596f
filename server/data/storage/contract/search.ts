import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { type ContractPart, NOW, newPrivateRoom, newUser, newUserAndRoom, say, texts } from './subject.ts';

export const describeSearch: ContractPart = (subject) => {
  const scopeOf = (
    userId: number,
    of: { roomNames?: string[]; usernames?: string[]; withPublic?: boolean },
  ) =>
    subject().store.searchScope({ userId, now: NOW, roomNames: [], usernames: [], withPublic: false, ...of });

  describe('searchScope', () => {
    it('has the rooms that one is in, and of the public ones those that were asked for', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const other = await newUserAndRoom(store);
      const secret = await newPrivateRoom(store, other.user.id);
      const roomsFor = async (of: Parameters<typeof scopeOf>[1]) =>
        (await scopeOf(user.id, of)).rooms.map(({ roomId, isMember }) => [roomId, isMember]);
      expect(await roomsFor({})).toEqual([[room.id, true]]);
      expect(await roomsFor({ roomNames: [other.room.name, secret.name] })).toEqual([
        [room.id, true],
        [other.room.id, false],
      ]);
      const all = await roomsFor({ withPublic: true });
      expect(all).toContainEqual([other.room.id, false]);
      expect(all.map(([id]) => id)).not.toContain(secret.id);
    });

    it('has no public room for a guest', async () => {
      const { store } = subject();
      const { room } = await newUserAndRoom(store);
      const named = { roomNames: [room.name] };
      const guest = await newUser(store);
      expect((await scopeOf(guest.id, named)).rooms).toHaveLength(1);
      await store.setRole({ actorId: null, userId: guest.id, role: 'guest', now: NOW });
      expect((await scopeOf(guest.id, named)).rooms).toEqual([]);
      expect((await scopeOf(guest.id, { withPublic: true })).rooms).toEqual([]);
    });

    it('names people by their keys, with the direct conversations that the reader has with each', async () => {
      const { store } = subject();
      const [ann, bo] = [await newUser(store), await newUser(store)];
      const opened = await store.createDm({ makerId: ann.id, userIds: [bo.id], maxPerDay: 0, now: NOW });
      assert('room' in opened);
      const { people } = await scopeOf(ann.id, { usernames: [bo.username, 'nobody at all'] });
      expect(people).toEqual([{ userId: bo.id, usernameKey: bo.username, dmIds: [opened.room.id] }]);
      const stranger = await newUser(store);
      expect((await scopeOf(stranger.id, { usernames: [bo.username] })).people[0]?.dmIds).toEqual([]);
    });
  });

  describe('foundMessages', () => {
    it('has those that the reader may read now, the newest first', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const secret = await newPrivateRoom(store, user.id);
      const open = await say(store, { roomId: room.id, userId: user.id }, texts(3));
      const hidden = await say(store, { roomId: secret.id, userId: user.id }, texts(1));
      const places = [
        ...open.map(({ id }) => ({ messageId: id, roomId: room.id })),
        ...hidden.map(({ id }) => ({ messageId: id, roomId: secret.id })),
        { messageId: open[0]?.id ?? 0, roomId: secret.id },
        { messageId: 9_000_000_000, roomId: room.id },
      ];
      const idsFor = async (userId: number) =>
        (await store.foundMessages({ userId, now: NOW, places })).map(({ message }) => message.id);
      const newestFirst = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => b - a);
      expect(await idsFor(user.id)).toEqual(newestFirst([...open, ...hidden]));
      const stranger = await newUser(store);
      expect(await idsFor(stranger.id)).toEqual(newestFirst(open));
      expect(await store.foundMessages({ userId: user.id, now: NOW, places: [] })).toEqual([]);
    });

    it('has no text that was deleted, none of somebody who is blocked, and tells which are saved', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const other = await newUser(store);
      await store.joinRoom({ roomId: room.id, userId: other.id, now: NOW });
      const [kept, gone] = await say(store, { roomId: room.id, userId: user.id }, texts(2));
      const [theirs] = await say(store, { roomId: room.id, userId: other.id }, texts(1));
      assert(kept && gone && theirs);
      await store.deleteMessage({ roomId: room.id, messageId: gone.id, actorId: user.id, now: NOW });
      await store.save({ roomId: room.id, messageId: kept.id, actorId: user.id, on: true, now: NOW });
      const places = [kept, gone, theirs].map(({ id }) => ({ messageId: id, roomId: room.id }));
      const found = async () =>
        (await store.foundMessages({ userId: user.id, now: NOW, places })).map(({ message, isSaved }) => [
          message.id,
          isSaved,
        ]);
      expect(await found()).toEqual([
        [theirs.id, false],
        [kept.id, true],
      ]);
      await store.setBlock({ userId: user.id, blockedId: other.id, isBlocked: true });
      expect(await found()).toEqual([[kept.id, true]]);
      const saved = (order: 'newest' | 'oldest', beyondId: number) =>
        store.savedPlaces({ userId: user.id, order, beyondId, limit: 5 });
      const place = { messageId: kept.id, roomId: room.id };
      expect([await saved('newest', kept.id + 1), await saved('newest', kept.id)]).toEqual([[place], []]);
      expect([await saved('oldest', kept.id - 1), await saved('oldest', kept.id)]).toEqual([[place], []]);
    });
  });

  describe('roomTexts', () => {
    it('has the texts of a room by id, from one on and before another', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const said = await say(store, { roomId: room.id, userId: user.id }, texts(5));
      const ids = said.map(({ id }) => id).sort((a, b) => a - b);
      const [first = 0, second = 0, third = 0, , last = 0] = ids;
      const read = async (fromId: number, beforeId: number, limit: number) =>
        (await store.roomTexts({ roomId: room.id, fromId, beforeId, limit })).map(({ id }) => id);
      expect(await read(second, last, 9)).toEqual(ids.slice(1, 4));
      expect(await read(first, last, 2)).toEqual([first, second]);
      expect(await read(third, third, 9)).toEqual([]);
      expect(await store.lastMessageId()).toBeGreaterThanOrEqual(last);
    });
  });
};
