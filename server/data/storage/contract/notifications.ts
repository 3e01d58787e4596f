import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { NotificationStep } from '../store.ts';
import {
  type ContractPart,
  DAY,
  NOW,
  newUser,
  newUserAndRoom,
  newUsers,
  say,
  texts,
  unique,
} from './subject.ts';

export const describeNotifications: ContractPart = (subject) => {
  /** A room with four texts of its owner, and a member who has read none of them. */
  async function furnished() {
    const { store } = subject();
    const { user: owner, room } = await newUserAndRoom(store);
    const { id: userId } = await newUser(store);
    const roomId = room.id;
    await store.joinRoom({ roomId, userId, now: NOW });
    const said = await say(store, { roomId, userId: owner.id }, texts(4));
    const name = unique('consumer');
    const notify = (change: Partial<NotificationStep>) =>
      store.notify({
        ...{ name, roomId, from: 0, to: 4, now: NOW },
        ...{ inbox: [], notices: [], threads: [], withdrawn: [], ...change },
      });
    const mention = (index: number) => {
      const { id: messageId = 0, seq = 0 } = said[index] ?? {};
      return { userId, messageId, threadId: null, seq, reason: 'mention' as const };
    };
    const notice = (index: number, dueAt: number | null = NOW) => {
      const { seq: _, threadId: __, ...at } = mention(index);
      return { ...at, decision: 'waited' as const, detail: null, dueAt };
    };
    return { store, owner, userId, roomId, said, name, notify, mention, notice };
  }

  describe('notify', () => {
    it('writes what is due and the cursor together; a repeat writes nothing twice', async () => {
      const { store, userId, name, roomId, notify, mention, notice } = await furnished();
      const rows = { inbox: [mention(1)], notices: [notice(1)] };
      const first = await notify({ ...rows, to: null });
      expect(first).toMatchObject({ outcome: 'written', fresh: [{ userId }] });
      expect(await store.consumerPlace({ name, roomId })).toMatchObject({ at: 0 });
      const again = await notify(rows);
      expect(again).toEqual({ outcome: 'written', changes: [], fresh: [], hasMore: false });
      expect(await store.consumerPlace({ name, roomId })).toMatchObject({ at: 4 });
      const { entries } = await store.inbox({ userId, limit: 9, now: NOW });
      expect(entries).toMatchObject([
        { reason: 'mention', seq: 2, isRead: false, message: { content: 'text 2' } },
      ]);
      expect(await store.notice({ userId, messageId: mention(1).messageId })).toMatchObject({ dueAt: NOW });
    });

    it('writes nothing when the cursor is not where the consumer takes it to be', async () => {
      const { store, userId, notify, mention, notice } = await furnished();
      await notify({});
      expect(await notify({ inbox: [mention(1)], notices: [notice(1)] })).toEqual({ outcome: 'lost' });
      expect(await store.inbox({ userId, limit: 9, now: NOW })).toEqual({ entries: [], hasMore: false });
      expect(await store.notice({ userId, messageId: mention(1).messageId })).toBeUndefined();
    });

    it('nobody who has left the room gets an entry', async () => {
      const { store, userId, roomId, notify, mention } = await furnished();
      await store.leaveRoom({ roomId, userId, now: NOW });
      expect(await notify({ inbox: [mention(0)] })).toMatchObject({ changes: [] });
    });

    it('withdraws entries by message, by reason, and not of those who are named, 200 at a time', async () => {
      const { store, roomId, notify, mention } = await furnished();
      const people = await newUsers(store, 201);
      const all = people.map(({ id }) => ({ ...mention(0), userId: id, reason: 'room' as const }));
      await notify({ inbox: all.slice(0, 200), to: null });
      await notify({ inbox: [...all.slice(200), mention(0)], to: null });
      const { messageId } = mention(0);
      const withdraw = (change: object = {}) => notify({ to: null, withdrawn: [{ messageId, ...change }] });
      expect(await withdraw({ reasons: ['mention'], except: [mention(0).userId] })).toMatchObject({
        changes: [],
      });
      expect(await withdraw({ reasons: ['mention'] })).toMatchObject({
        changes: { length: 1 },
        hasMore: false,
      });
      expect(await withdraw()).toMatchObject({ changes: { length: 200 }, hasMore: true });
      expect(await withdraw()).toMatchObject({ changes: { length: 1 }, hasMore: false });
      expect(roomId).toBeGreaterThan(0);
    });

    it('one follows a thread from then on, unless one has said something about it', async () => {
      const { store, userId, roomId, notify, mention } = await furnished();
      const { messageId: threadId } = mention(0);
      const threads = [{ userId, threadId, readSeq: 2 }];
      expect(await notify({ threads, to: null })).toMatchObject({ changes: { length: 1 } });
      expect(await notify({ threads: [{ userId, threadId, readSeq: 9 }] })).toMatchObject({ changes: [] });
      const people = await store.threadPeople({ roomId, threadId, userIds: [], withFollowers: true });
      expect(people).toEqual([{ userId, isFollowing: true, readSeq: 2 }]);
    });

    it('in a room of which one wants no threads, one follows only those that one asks for', async () => {
      const { store, userId, roomId, notify, mention } = await furnished();
      const { messageId: threadId } = mention(0);
      const level = (threads: 'none' | null) => store.setPrefs({ roomId, userId, threads });
      const follow = (following: boolean) =>
        store.followThread({ roomId, threadId, userId, now: NOW, following });
      const isFollowing = async () => {
        const people = await store.threadPeople({ roomId, threadId, userIds: [], withFollowers: true });
        const listed = await store.followedThreads({ userId, now: NOW });
        const { following } = await store.threadMember({ roomId, threadId, userId });
        const log = await store.userLog({ userId, after: 0, limit: 9 });
        const all = [people[0], log.threads[0]].map((row) => row?.isFollowing ?? null);
        expect(new Set([...all, listed.length === 1, following]).size).toBe(1);
        return following;
      };
      await notify({ threads: [{ userId, threadId, readSeq: 2 }] });
      expect(await isFollowing()).toBe(true);
      expect(await level('none')).toMatchObject({ member: { threads: 'none' } });
      expect(await isFollowing()).toBe(false);
      await level(null);
      expect(await isFollowing()).toBe(true);
      await level('none');
      expect(await follow(true)).toMatchObject({ change: { userId } });
      expect(await isFollowing()).toBe(true);
    });
  });

  it('who is not in a public room has read a mention there once they say so, or have joined', async () => {
    const { store, roomId, notify, mention } = await furnished();
    const { id: userId } = await newUser(store);
    const inbox = [0, 2].map((index) => ({ ...mention(index), userId }));
    await notify({ inbox });
    const read = async () => {
      const { entries } = await store.inbox({ userId, limit: 9, now: NOW });
      return entries.filter(({ isRead }) => isRead).map(({ seq }) => seq);
    };
    expect(await read()).toEqual([]);
    const { messageId: threadId, seq } = mention(0);
    await store.readThread({ roomId, threadId, userId, seq, now: NOW });
    expect(await read()).toEqual([1]);
    expect(await store.followedThreads({ userId, now: NOW })).toEqual([]);
    await store.joinRoom({ roomId, userId, now: NOW });
    expect(await read()).toEqual([3, 1]);
    await store.leaveRoom({ roomId, userId, now: NOW });
    expect(await read()).toEqual([3, 1]);
  });

  it('unread mentions are the entries beyond the read mark: reading anywhere clears them', async () => {
    const { store, userId, roomId, notify, mention } = await furnished();
    await notify({ inbox: [mention(0), mention(2)] });
    const mentions = async () => (await store.unread({ userId, roomIds: [roomId] }))[0]?.mentions;
    const read = (seq: number, unread = false, known = 0) =>
      store.markRead([{ userId, roomId, seq, known, unread }]);
    expect(await mentions()).toBe(2);
    await read(1);
    expect(await mentions()).toBe(1);
    await read(4);
    expect(await mentions()).toBe(0);
    await read(2, true);
    expect(await mentions()).toBe(1);
  });

  it('an entry in a thread is unread until its thread is read there, and one of the main flow until the room is', async () => {
    const { store, userId, owner, roomId, said, notify, mention } = await furnished();
    const threadId = said[0]?.id ?? 0;
    const post = { roomId, userId: owner.id, now: NOW, content: 'a reply', threadId };
    const replies = [];
    for (const cid of ['one', 'two']) {
      const posted = await store.post({ ...post, cid: unique(cid) });
      assert(posted.outcome === 'stored');
      replies.push(posted);
    }
    const entries = replies.map(({ id: messageId, seq }) => ({ ...mention(3), messageId, seq, threadId }));
    await notify({ inbox: [mention(3), ...entries], to: null });
    const [first, second] = replies.map(({ seq }) => seq);
    assert(first && second);
    const unread = async () => {
      const [count] = await store.unread({ userId, roomIds: [roomId] });
      const { entries: listed } = await store.inbox({ userId, limit: 9, now: NOW });
      const inbox = listed.filter(({ isRead }) => !isRead).map(({ seq }) => seq);
      const ofThreads = count?.threadMentions.map(({ seq }) => seq) ?? [];
      expect(inbox.filter((seq) => seq >= first).reverse()).toEqual(ofThreads);
      expect(inbox.filter((seq) => seq < first)).toHaveLength(count?.mentions ?? 0);
      return [count?.mentions, ...ofThreads];
    };
    const readThread = (seq: number) => store.readThread({ roomId, threadId, userId, now: NOW, seq });
    expect(await unread()).toEqual([1, first, second]);
    const { seq: head = 0 } = (await store.findRoom(roomId)) ?? {};
    await store.markRead([{ userId, roomId, seq: head, known: 0, unread: false }]);
    expect(await unread()).toEqual([0, first, second]);
    await readThread(first);
    expect(await unread()).toEqual([0, second]);
    const log = await store.userLog({ userId, after: 0, limit: 99 });
    expect(log.inbox.map(({ seq, isRead }) => [seq, isRead])).toEqual([
      [4, false],
      [first, true],
      [second, false],
    ]);
    await notify({ withdrawn: [{ messageId: replies[1]?.id ?? 0 }], to: null });
    expect(await unread()).toEqual([0]);
  });

  it('the inbox lists nothing of rooms that the user may not see any more, in pages', async () => {
    const { store, owner, userId, roomId, notify, mention } = await furnished();
    await notify({ inbox: [mention(0), mention(1), mention(2)] });
    const page = await store.inbox({ userId, limit: 2, now: NOW });
    expect(page).toMatchObject({ entries: [{ seq: 3 }, { seq: 2 }], hasMore: true });
    const before = page.entries.at(-1)?.messageId;
    expect(await store.inbox({ userId, limit: 2, before, now: NOW })).toMatchObject({
      ...{ entries: [{ seq: 1 }], hasMore: false },
    });
    await store.changeRoom({ roomId, actorId: owner.id, patch: { kind: 'private' }, now: NOW });
    await store.removeMember({ roomId, actorId: owner.id, userId, now: NOW });
    expect(await store.inbox({ userId, limit: 9, now: NOW })).toMatchObject({ entries: [] });
  });

  it("the user's log has entries, bookmarks and threads among the memberships, in one order without a gap", async () => {
    const { store, userId, roomId, notify, mention } = await furnished();
    const { seq: before } = await store.userLog({ userId, after: 0, limit: 9 });
    const { messageId, seq: _ } = mention(3);
    await notify({ inbox: [mention(0), mention(1)], to: null });
    await store.save({ roomId, messageId, actorId: userId, now: NOW, on: true, note: 'later' });
    await notify({ threads: [{ userId, threadId: messageId, readSeq: 1 }] });
    await store.markRead([{ userId, roomId, seq: 1, known: 0, unread: false }]);
    const log = await store.userLog({ userId, after: before, limit: 9 });
    expect(log.upTo).toBe(before + 5);
    expect(log.inbox.map(({ userSeq }) => userSeq)).toEqual([before + 1, before + 2]);
    expect(log.saved).toMatchObject([{ messageId, note: 'later', userSeq: before + 3 }]);
    expect(log.threads).toMatchObject([{ threadId: messageId, isFollowing: true, userSeq: before + 4 }]);
    expect(log.members).toMatchObject([{ roomId, userSeq: before + 5 }]);
    // A kind that fills its page ends the page for all.
    const short = await store.userLog({ userId, after: before, limit: 2 });
    expect(short).toMatchObject({ upTo: before + 2, saved: [], threads: [], members: [] });
  });

  it('what waits is read by the time when it is due, settled once, and forgotten after seven days', async () => {
    const { store, userId, notify, mention, notice } = await furnished();
    await notify({ notices: [notice(0, NOW - DAY), notice(1, NOW - 2 * DAY), notice(2, null)] });
    const own = async () =>
      (await store.waitingNotices({ limit: 200 })).filter((row) => row.userId === userId);
    expect((await own()).map(({ messageId }) => messageId)).toEqual(
      [1, 0].map((at) => mention(at).messageId),
    );
    const others = await store.waitingNotices({ limit: 200, exceptUserIds: [userId] });
    expect(others.filter((row) => row.userId === userId)).toEqual([]);
    const { messageId } = mention(0);
    const settle = (decision: 'pushed' | 'off') =>
      store.settleNotices([{ userId, messageId, decision, detail: null, dueAt: null }]);
    await settle('pushed');
    await settle('off');
    expect(await store.notice({ userId, messageId })).toMatchObject({ decision: 'pushed', dueAt: null });
    await store.purge({ now: NOW + 7 * DAY });
    expect(await store.notice({ userId, messageId })).toBeDefined();
    await store.purge({ now: NOW + 7 * DAY + 1 });
    expect(await store.notice({ userId, messageId })).toBeUndefined();
    expect(await own()).toEqual([]);
  });

  it('the audience: settings, membership, and who has blocked the author', async () => {
    const { store, owner, userId, roomId } = await furnished();
    await store.setBlock({ userId, blockedId: owner.id, isBlocked: true });
    await store.setPrefs({ roomId, userId, notify: 'all' });
    const { id: stranger } = await newUser(store);
    const rows = await store.audience({ roomId, authorIds: [owner.id], userIds: [stranger, userId] });
    expect(rows).toMatchObject([
      { userId, settings: '{}', blocked: [owner.id], member: { hasLeft: false, notify: 'all' } },
      { userId: stranger, blocked: [], member: null },
    ]);
    const members = await store.audience({ roomId, authorIds: [], afterUserId: owner.id });
    expect(members.map((row) => row.userId)).toEqual([userId]);
    expect(await store.eagerMembers({ roomId })).toMatchObject({ kind: 'public', userIds: [userId] });
  });
};
