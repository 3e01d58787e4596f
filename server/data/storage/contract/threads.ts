import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../store.ts';
import { type ContractPart, NOW, newRoom } from './subject.ts';
import { ThreadStage, threadIn } from './thread-stage.ts';

const at = (ms: number) => new Date(NOW + ms).toISOString();
const idsOf = (rows: readonly MessageRow[] = []) => rows.map(({ id }) => id);

export const describeThreads: ContractPart = (subject) => {
  describe('a reply in a thread', () => {
    it('takes two numbers, its own and then its root’s, and none among the texts of the main flow', async () => {
      const stage = await ThreadStage.start(subject().store);
      const root = await stage.say();
      const reply = await stage.say(root.id);
      expect(reply).toMatchObject({ seq: 2, number: 1, message: { seq: 2, changedSeq: 2 } });
      expect(reply.message.facts?.threadId).toBe(root.id);
      expect(reply.root).toMatchObject({ id: root.id, seq: 1, changedSeq: 3, threadChanged: true });
      expect(await stage.head()).toEqual({ seq: 3, number: 1 });
      expect(await stage.say()).toMatchObject({ seq: 4, number: 2 });
    });

    it('is counted at the root, which names the three latest authors, the last one first', async () => {
      const stage = await ThreadStage.start(subject().store, 4);
      const [a, b, c, d] = stage.users.map(({ id }) => id);
      const root = await stage.say();
      for (const [index, by] of [0, 1, 2, 3, 1].entries()) await stage.say(root.id, by, NOW + index);
      const thread = { replies: 5, last_seq: 10, last_at: at(4), people: [b, d, c] };
      expect(await stage.thread(root.id)).toEqual(thread);
      expect(thread.people).not.toContain(a);
    });

    it('has a text of the room as its root, which is no notice and no reply itself', async () => {
      const { store } = subject();
      const stage = await ThreadStage.start(store);
      const root = await stage.say();
      const reply = await stage.say(root.id);
      await store.changeRoom({
        roomId: stage.roomId,
        actorId: stage.userId(),
        patch: { topic: 't' },
        now: NOW,
      });
      const notice = (await store.history({ roomId: stage.roomId, limit: 1, withNotices: true }))?.rows[0];
      const other = await newRoom(store, stage.userId());
      const before = await stage.head();
      const wrong = [{ threadId: reply.id }, { threadId: notice?.id }, { threadId: 999_999_999 }];
      for (const of of [...wrong, { threadId: root.id, roomId: other.id }])
        expect(await stage.tryToSay(of)).toEqual({ outcome: 'message_not_found' });
      expect(await stage.head()).toEqual(before);
    });

    it('that is repeated is a duplicate, and changes nothing', async () => {
      const stage = await ThreadStage.start(subject().store);
      const root = await stage.say();
      const first = await stage.tryToSay({ threadId: root.id, cid: 'same' });
      expect(await stage.tryToSay({ threadId: root.id, cid: 'same' })).toMatchObject({
        outcome: 'duplicate',
        id: first.outcome === 'stored' ? first.id : 0,
      });
      expect(await stage.thread(root.id)).toMatchObject({ replies: 1 });
    });

    it('is not in the main flow, and is in the history of texts', async () => {
      const { store } = subject();
      const stage = await ThreadStage.start(store);
      const root = await stage.say();
      const reply = await stage.say(root.id);
      const later = await stage.say();
      const { roomId } = stage;
      const flow = await store.history({ roomId, limit: 9, withNotices: true });
      expect(idsOf(flow?.rows)).toEqual([root.id, later.id]);
      const texts = await store.history({ roomId, limit: 9 });
      expect(idsOf(texts?.rows)).toEqual([root.id, reply.id, later.id]);
      const around = await store.around({ roomId, limit: 9, place: { id: later.id } });
      expect(idsOf(around?.before)).toEqual([root.id]);
    });

    it('is found in the main flow at its root', async () => {
      const { store } = subject();
      const stage = await ThreadStage.start(store);
      const root = await stage.say();
      await stage.say();
      const reply = await stage.say(root.id);
      const found = await store.around({ roomId: stage.roomId, limit: 1, place: { id: reply.id } });
      expect(idsOf(found?.from)).toEqual([root.id]);
      expect(found?.thread).toMatchObject({ id: reply.id, threadId: root.id });
    });

    it('that is deleted leaves the count, the latest authors and the latest reply as if it had not been', async () => {
      const stage = await ThreadStage.start(subject().store, 2);
      const root = await stage.say();
      await stage.say(root.id, 0, NOW + 1);
      const last = await stage.say(root.id, 1, NOW + 2);
      const deleted = await stage.delete(last.id);
      expect(deleted).toMatchObject({
        message: { changedSeq: 6 },
        root: { changedSeq: 7, threadChanged: true },
      });
      const thread = { replies: 1, last_seq: 2, last_at: at(1), people: [stage.userId(0)] };
      expect(await stage.thread(root.id)).toEqual(thread);
      expect(await stage.delete(last.id)).toMatchObject({ outcome: 'unchanged' });
      expect(await stage.head()).toEqual({ seq: 7, number: 1 });
    });

    it('outlives its root: a deleted root keeps its thread, and takes replies', async () => {
      const stage = await ThreadStage.start(subject().store);
      const root = await stage.say();
      await stage.say(root.id);
      await stage.delete(root.id);
      await stage.say(root.id);
      expect(await stage.thread(root.id)).toMatchObject({ replies: 2 });
    });
  });

  describe('threads', () => {
    it('are listed with the latest reply first; one without replies is not', async () => {
      const { store } = subject();
      const stage = await ThreadStage.start(store);
      const roots = [await stage.say(), await stage.say(), await stage.say(), await stage.say()].map(
        ({ id }) => id,
      );
      const [first = 0, second = 0, third = 0, fourth = 0] = roots;
      for (const threadId of [first, second, third, first]) await stage.say(threadId);
      const only = await stage.say(fourth);
      await stage.delete(only.id);
      const { roomId } = stage;
      const page = await store.threads({ roomId, limit: 2 });
      expect(idsOf(page?.roots)).toEqual([first, third]);
      const rest = await store.threads({ roomId, limit: 2, beforeSeq: page?.next ?? 0 });
      expect([idsOf(rest?.roots), rest?.next]).toEqual([[second], null]);
      await stage.change(third, { resolved: true });
      const resolved = await store.threads({ roomId, limit: 9, resolved: true });
      expect(idsOf(resolved?.roots)).toEqual([third]);
      const open = await store.threads({ roomId, limit: 9, resolved: false });
      expect(idsOf(open?.roots)).toEqual([first, second]);
    });

    it('get a title and are resolved as changes of their root; what is there already takes no number', async () => {
      const stage = await ThreadStage.start(subject().store);
      const root = await stage.say();
      expect(await stage.change(root.id, { title: 't' })).toEqual({ outcome: 'message_not_found' });
      await stage.say(root.id);
      const titled = await stage.change(root.id, { title: 'Plans', resolved: true });
      expect(titled).toMatchObject({ outcome: 'changed', message: { changedSeq: 4, threadChanged: true } });
      expect(await stage.thread(root.id)).toMatchObject({ title: 'Plans', resolved: true });
      expect(await stage.change(root.id, { title: 'Plans' })).toMatchObject({ outcome: 'unchanged' });
      await stage.say(root.id);
      expect(await stage.thread(root.id)).toMatchObject({ title: 'Plans', resolved: true, replies: 2 });
      const bare = await stage.change(root.id, { title: '', resolved: false });
      expect(bare.outcome === 'changed' && threadIn(bare.message)).not.toHaveProperty('title');
      expect(await stage.thread(root.id)).not.toHaveProperty('resolved');
    });

    it('are read page by page, with their root', async () => {
      const { store } = subject();
      const stage = await ThreadStage.start(store);
      const root = await stage.say();
      const replies = [];
      for (let count = 0; count < 4; count++) {
        replies.push((await stage.say(root.id)).id);
        await stage.say();
      }
      const of = { roomId: stage.roomId, threadId: root.id };
      const last = await store.threadPage({ ...of, limit: 2 });
      expect([last?.root.id, idsOf(last?.rows), last?.hasBeyond]).toEqual([root.id, replies.slice(2), false]);
      const older = await store.threadPage({ ...of, limit: 9, beforeId: replies[2] });
      expect([idsOf(older?.rows), older?.hasBeyond]).toEqual([replies.slice(0, 2), true]);
      const newer = await store.threadPage({ ...of, limit: 2, afterId: replies[0] });
      expect([idsOf(newer?.rows), newer?.hasBeyond]).toEqual([replies.slice(1, 3), true]);
      expect(await store.threadPage({ ...of, threadId: replies[0] ?? 0, limit: 1 })).toBeNull();
    });
  });
};
