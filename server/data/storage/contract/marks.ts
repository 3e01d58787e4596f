import { describe, expect, it } from 'vitest';
import type { ReadMarkChange } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUser, newUserAndRoom, say, texts } from './subject.ts';

export const describeMarks: ContractPart = (subject) => {
  /** A room with ten texts of its owner, and a member who has read nothing of them. */
  async function furnished() {
    const { store } = subject();
    const { user: owner, room } = await newUserAndRoom(store);
    const { id: userId } = await newUser(store);
    const roomId = room.id;
    await store.joinRoom({ roomId, userId, now: NOW });
    await say(store, { roomId, userId: owner.id }, texts(10));
    const mark = async (seq: number, change: Partial<ReadMarkChange> = {}) => {
      const [member] = await store.markRead([{ userId, roomId, seq, known: 0, unread: false, ...change }]);
      return member;
    };
    const unread = async () => (await store.unread({ userId, roomIds: [roomId] }))[0]?.unread;
    return { store, owner, roomId, userId, mark, unread };
  }

  describe('markRead', () => {
    it('raises the mark, each time with a number of the log; a repeat and a lower mark change nothing', async () => {
      const { store, userId, mark, unread } = await furnished();
      const { seq: before } = await store.userLog({ userId, after: 0, limit: 9 });
      expect(await mark(4)).toMatchObject({ readSeq: 4, readSet: 0, userSeq: before + 1 });
      expect(await unread()).toBe(6);
      expect(await mark(4)).toBeUndefined();
      expect(await mark(3)).toBeUndefined();
      expect(await mark(10)).toMatchObject({ readSeq: 10, userSeq: before + 2 });
      expect(await unread()).toBe(0);
      expect((await store.userLog({ userId, after: 0, limit: 9 })).seq).toBe(before + 2);
    });

    it('unread from here: sets the mark; a device that does not know of it neither raises nor sets it', async () => {
      const { mark, unread } = await furnished();
      await mark(10);
      const lowered = await mark(3, { unread: true });
      expect(lowered).toMatchObject({ readSeq: 3, readSet: lowered?.userSeq });
      expect(await unread()).toBe(7);
      const known = lowered?.readSet ?? 0;
      expect(await mark(10, { known: known - 1 })).toBeUndefined();
      expect(await mark(2, { unread: true, known: known - 1 })).toBeUndefined();
      expect(await mark(10, { known })).toMatchObject({ readSeq: 10, readSet: known });
      expect(await unread()).toBe(0);
    });

    it('unread from here always has a new `readSet`: where the mark is already, and above it, too', async () => {
      const { mark } = await furnished();
      await mark(4);
      const same = await mark(4, { unread: true });
      expect(same).toMatchObject({ readSeq: 4, readSet: same?.userSeq });
      const above = await mark(6, { unread: true, known: same?.readSet ?? 0 });
      expect(above).toMatchObject({ readSeq: 6, readSet: above?.userSeq });
    });

    it('a former member who comes back has a new `readSet`: a mark from before changes nothing', async () => {
      const { store, roomId, userId, mark, unread } = await furnished();
      await mark(4);
      await store.leaveRoom({ roomId, userId, now: NOW });
      expect(await mark(2, { unread: true })).toBeUndefined();
      await store.joinRoom({ roomId, userId, now: NOW });
      const { seq: known, members } = await store.userLog({ userId, after: 0, limit: 9 });
      expect(members).toMatchObject([{ roomId, readSet: known, userSeq: known }]);
      expect(await mark(2, { unread: true })).toBeUndefined();
      expect(await unread()).toBe(0);
      expect(await mark(2, { unread: true, known })).toMatchObject({ readSeq: 2 });
    });

    it('a mark beyond the head, below zero, of nobody or of a room that one is not in is left out', async () => {
      const { store, owner, roomId, userId, mark } = await furnished();
      expect(await mark(11)).toBeUndefined();
      expect(await mark(-1, { unread: true })).toBeUndefined();
      expect(await mark(1, { roomId: Number.MAX_SAFE_INTEGER })).toBeUndefined();
      expect(await mark(1, { userId: Number.MAX_SAFE_INTEGER })).toBeUndefined();
      const elsewhere = await newRoom(store, owner.id);
      await say(store, { roomId: elsewhere.id, userId: owner.id }, ['hello']);
      expect(await mark(1, { roomId: elsewhere.id })).toBeUndefined();
      await store.leaveRoom({ roomId, userId, now: NOW });
      expect(await mark(5)).toBeUndefined();
    });

    it('many at once, by user and room; the others are not touched by one that is refused', async () => {
      const { store, owner, roomId, userId } = await furnished();
      const mark = (seq: number, of: number) => ({ userId: of, roomId, seq, known: 0, unread: false });
      const changed = await store.markRead([
        mark(99, userId),
        mark(7, userId),
        mark(6, owner.id),
        mark(2, userId),
      ]);
      expect(changed.map((member) => [member.userId, member.readSeq])).toEqual([
        [owner.id, 6],
        [userId, 7],
      ]);
    });
  });

  describe('unread', () => {
    it('only rooms that one is in; notices and own texts do not count, nor do those of people one has blocked', async () => {
      const { store, owner, roomId, userId } = await furnished();
      const { id: blocked } = await newUser(store);
      await say(store, { roomId, userId: blocked }, texts(2));
      await say(store, { roomId, userId }, texts(3));
      await store.changeRoom({ roomId, actorId: owner.id, patch: { topic: 'new' }, now: NOW });
      const count = () => store.unread({ userId, roomIds: [roomId, roomId, Number.MAX_SAFE_INTEGER] });
      expect(await count()).toEqual([
        { roomId, unread: 12, mentions: 0, threadMentions: [], isInexact: false },
      ]);
      await store.setBlock({ userId, blockedId: blocked, isBlocked: true });
      expect(await count()).toMatchObject([{ unread: 10 }]);
      expect(await store.unread({ userId: blocked, roomIds: [roomId] })).toEqual([]);
      expect(await store.unread({ userId, roomIds: [] })).toEqual([]);
    });

    it('stops at 100 found, and says so; at 1000 visited it is bounded by the numbers', async () => {
      const { store, owner, roomId, userId, mark } = await furnished();
      await mark(10);
      const count = async (of = userId) => (await store.unread({ userId: of, roomIds: [roomId] }))[0];
      await say(store, { roomId, userId: owner.id }, texts(99));
      expect(await count()).toMatchObject({ unread: 99, isInexact: false });
      await say(store, { roomId, userId: owner.id }, texts(901));
      expect(await count()).toMatchObject({ unread: 100, isInexact: true });
      // The owner's own: 1010 were visited in vain, and there may be others' beyond.
      await say(store, { roomId, userId }, texts(3));
      expect(await count(owner.id)).toMatchObject({ unread: 100, isInexact: true });
    });
  });

  describe('setPrefs, userLog and entries', () => {
    it('changes what it names; the log has the row once, in its present state', async () => {
      const { store, owner, roomId, userId } = await furnished();
      const { seq: before } = await store.userLog({ userId, after: 0, limit: 9 });
      const set = (prefs: object) => store.setPrefs({ roomId, userId, ...prefs });
      expect(await set({ notify: 'none', notifyMutedUntil: NOW })).toMatchObject({
        member: { notify: 'none', notifyMutedUntil: NOW, starred: false, userSeq: before + 1 },
      });
      expect(await set({ starred: true, notifyMutedUntil: null })).toMatchObject({
        member: { notify: 'none', notifyMutedUntil: null, starred: true, userSeq: before + 2 },
      });
      expect(await set({ starred: true })).toMatchObject({ member: { userSeq: before + 2 } });
      // Only a direct conversation can be hidden.
      expect(await set({ hidden: true })).toMatchObject({ member: { hidden: false, userSeq: before + 2 } });
      expect(await set({ notify: null })).toMatchObject({ member: { notify: null, userSeq: before + 3 } });
      const log = await store.userLog({ userId, after: before, limit: 9 });
      expect(log).toMatchObject({ seq: before + 3, floor: 0, members: [{ roomId, starred: true }] });
      expect(await store.userLog({ userId, after: before + 3, limit: 9 })).toMatchObject({ members: [] });
      expect(
        await store.setPrefs({ roomId, userId: Number.MAX_SAFE_INTEGER, starred: true }),
      ).toBeUndefined();
      await store.leaveRoom({ roomId, userId, now: NOW });
      expect(await set({ starred: false })).toBeUndefined();
      const left = await store.userLog({ userId, after: before, limit: 9 });
      expect(left.members).toMatchObject([{ roomId, leftAt: NOW, userSeq: before + 4 }]);
      expect(await store.entries({ userId, maxDms: 9 })).toEqual([]);
      expect(await store.entries({ userId: owner.id, maxDms: 9 })).toMatchObject([
        {
          room: { id: roomId, seq: 10, number: 10, members: 1 },
          ...{ member: { role: 'owner' }, people: [] },
          last: { seq: 10, userId: owner.id, username: owner.username, start: 'text 10', createdAt: NOW },
        },
      ]);
    });

    it('the last text of a room is cut at 1000 characters, and a notice is none', async () => {
      const { store, owner, roomId } = await furnished();
      const empty = await newRoom(store, owner.id);
      await say(store, { roomId, userId: owner.id }, ['\u{1F600}'.repeat(1200)]);
      for (const id of [roomId, empty.id])
        await store.changeRoom({ roomId: id, actorId: owner.id, patch: { topic: 'new' }, now: NOW });
      const [first, second] = await store.entries({ userId: owner.id, maxDms: 9 });
      expect(first?.last).toMatchObject({ seq: 11, start: '\u{1F600}'.repeat(1000) });
      expect(second).toMatchObject({ room: { id: empty.id, seq: 1, number: 0 }, last: null });
    });

    it('the latest rooms are counted with their entries, as many as are asked for', async () => {
      const { store, owner, roomId, userId } = await furnished();
      const later = await newRoom(store, owner.id);
      await store.joinRoom({ roomId: later.id, userId, now: NOW });
      await store.append({
        ...{ roomId: later.id, userId: owner.id, cid: null },
        content: 'x',
        now: NOW + 1,
      });
      const counts = async (counted?: number) => {
        const rows = await store.entries({ userId, maxDms: 9, ...(counted !== undefined && { counted }) });
        return rows.map(({ room, count }) => [
          room.id,
          count && { roomId: count.roomId, unread: count.unread },
        ]);
      };
      const [known] = await store.unread({ userId, roomIds: [roomId] });
      const first = { roomId, unread: known?.unread };
      const second = { roomId: later.id, unread: 1 };
      expect(await counts()).toEqual([
        [roomId, null],
        [later.id, null],
      ]);
      expect(await counts(1)).toEqual([
        [roomId, null],
        [later.id, second],
      ]);
      expect(await counts(2)).toEqual([
        [roomId, first],
        [later.id, second],
      ]);
    });

    it('two share a room while both are in it', async () => {
      const { store, owner, roomId, userId } = await furnished();
      const { id: otherId } = await newUser(store);
      expect(await store.shareRoom({ userId, otherId: owner.id })).toBe(true);
      expect(await store.shareRoom({ userId, otherId })).toBe(false);
      await store.leaveRoom({ roomId, userId, now: NOW });
      expect(await store.shareRoom({ userId: owner.id, otherId: userId })).toBe(false);
    });
  });
};
