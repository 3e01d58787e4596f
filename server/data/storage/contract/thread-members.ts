import { describe, expect, it } from 'vitest';
import { FOLLOWED_THREADS_LISTED } from '../../../../protocol/limits.ts';
import { type ContractPart, NOW } from './subject.ts';
import { ThreadStage } from './thread-stage.ts';

export const describeThreadMembers: ContractPart = (subject) => {
  /** A thread with one reply, and two people. */
  async function followedThread() {
    const { store } = subject();
    const stage = await ThreadStage.start(store, 2);
    const root = await stage.say();
    const reply = await stage.say(root.id);
    const of = { roomId: stage.roomId, threadId: root.id, userId: stage.userId(1), now: NOW };
    const unread = async () => {
      const threads = await store.followedThreads({ userId: of.userId, now: NOW });
      return threads.map((thread) => [thread.root.id, thread.unread, thread.readSeq]);
    };
    return { store, stage, root, reply, of, unread };
  }

  describe('followed threads', () => {
    it('are the latest 100, whatever was followed in rooms that the user has lost', async () => {
      const { store, of, root, unread } = await followedThread();
      await store.followThread({ ...of, following: true });
      const lost = await ThreadStage.start(store);
      const { roomId } = lost;
      await store.joinRoom({ roomId, userId: of.userId, now: NOW });
      for (let count = 0; count < FOLLOWED_THREADS_LISTED; count++) {
        const { id: threadId } = await lost.say(undefined, 0, NOW + 1);
        await store.followThread({ ...of, roomId, threadId, following: true });
      }
      expect((await unread()).map(([id]) => id)).not.toContain(root.id);
      const actorId = lost.userId();
      await store.changeRoom({ roomId, actorId, patch: { kind: 'private' }, now: NOW });
      await store.removeMember({ roomId, actorId, userId: of.userId, now: NOW });
      expect((await unread()).map(([id]) => id)).toEqual([root.id]);
    });

    it('begin read, and count the replies of others after that', async () => {
      const { store, stage, root, reply, of, unread } = await followedThread();
      expect(await store.followThread({ ...of, following: true })).toMatchObject({
        change: { userId: of.userId },
      });
      expect(await unread()).toEqual([[root.id, 0, reply.seq]]);
      await stage.say(root.id);
      await stage.say(root.id, 1);
      const gone = await stage.say(root.id);
      await stage.delete(gone.id);
      expect(await unread()).toEqual([[root.id, 1, reply.seq]]);
    });

    it('stay as far read as they are when one asks for them again', async () => {
      const { store, stage, root, reply, of, unread } = await followedThread();
      await store.followThread({ ...of, following: true });
      await stage.say(root.id);
      expect(await store.followThread({ ...of, following: true })).toMatchObject({ change: undefined });
      expect(await unread()).toEqual([[root.id, 1, reply.seq]]);
    });

    it('may begin unread, from a number on', async () => {
      const { store, root, reply, of, unread } = await followedThread();
      await store.followThread({ ...of, following: true, readSeq: reply.seq - 1 });
      expect(await unread()).toEqual([[root.id, 1, reply.seq - 1]]);
    });

    it('are read up to a mark, which only rises and is never beyond the last reply', async () => {
      const { store, stage, root, reply, of, unread } = await followedThread();
      await store.followThread({ ...of, following: true });
      const next = await stage.say(root.id);
      expect(await store.readThread({ ...of, seq: 999_999 })).toMatchObject({
        change: { userId: of.userId },
      });
      expect(await unread()).toEqual([[root.id, 0, next.seq]]);
      expect(await store.readThread({ ...of, seq: reply.seq })).toEqual({
        outcome: 'set',
        change: undefined,
      });
      await stage.say(root.id);
      expect(await unread()).toEqual([[root.id, 1, next.seq]]);
    });

    it('end; the mark of a thread is kept whether it is followed or not', async () => {
      const { store, reply, of, unread } = await followedThread();
      expect(await store.readThread({ ...of, seq: reply.seq })).toMatchObject({
        change: { userId: of.userId },
      });
      expect(await store.threadMember(of)).toEqual({ following: false, readSeq: reply.seq });
      expect(await unread()).toEqual([]);
      await store.followThread({ ...of, following: true });
      await store.followThread({ ...of, following: false });
      expect(await store.followThread({ ...of, following: false })).toMatchObject({ change: undefined });
      expect(await unread()).toEqual([]);
      expect(await store.threadMember(of)).toMatchObject({ following: false });
    });

    it('come with the latest reply first', async () => {
      const { store, stage, root, of, unread } = await followedThread();
      const other = await stage.say();
      await stage.say(other.id, 0, NOW + 1);
      for (const threadId of [root.id, other.id])
        await store.followThread({ ...of, threadId, following: true });
      expect((await unread()).map(([id]) => id)).toEqual([other.id, root.id]);
      await stage.say(root.id, 0, NOW + 2);
      expect((await unread()).map(([id]) => id)).toEqual([root.id, other.id]);
    });

    it('are those of rooms that the user may read', async () => {
      const { store, stage, root, reply, of, unread } = await followedThread();
      await store.followThread({ ...of, following: true });
      await store.changeRoom({
        ...{ roomId: of.roomId, actorId: stage.userId(), now: NOW },
        patch: { kind: 'private' },
      });
      expect(await unread()).toEqual([]);
      expect(await store.followThread({ ...of, following: false })).toEqual({ outcome: 'room_not_found' });
      expect(await store.readThread({ ...of, seq: 1 })).toEqual({ outcome: 'room_not_found' });
      const own = { ...of, userId: stage.userId() };
      const wrong = { ...own, threadId: reply.id };
      expect(await store.followThread({ ...wrong, following: true })).toEqual({
        outcome: 'message_not_found',
      });
      expect(await store.followThread({ ...own, threadId: root.id, following: true })).toMatchObject({
        outcome: 'set',
      });
    });
  });
};
