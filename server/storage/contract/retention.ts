import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { type ContractPart, DAY, NOW, newRoom, newUserAndRoom, say, texts, wholeRoom } from './subject.ts';

const AUDIT = { viewerId: null, scope: { of: 'all' }, limit: 100, now: NOW } as const;

export const describeRetention: ContractPart = (subject) => {
  describe('retention', () => {
    it('finds the texts of a room that are old, piece by piece', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, texts(7));
      const { messageIds: all } = await store.oldTexts({
        roomId: room.id,
        afterSeq: 0,
        before: NOW + DAY,
        limit: 100,
      });
      expect(all).toHaveLength(7);
      const found: number[] = [];
      for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
        const piece = await store.oldTexts({ roomId: room.id, afterSeq, before: NOW + DAY, limit: 3 });
        found.push(...piece.messageIds);
        afterSeq = piece.reached;
      }
      expect(found).toEqual(all);
      const none = await store.oldTexts({ roomId: room.id, afterSeq: 0, before: NOW, limit: 3 });
      expect(none).toEqual({ messageIds: [], reached: undefined });
    });

    it('deletes texts by nobody, each with the next number of the room; the audit log has one row', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const other = await newRoom(store, user.id);
      await say(store, { roomId: room.id, userId: user.id }, texts(3));
      await say(store, { roomId: other.id, userId: user.id }, texts(1));
      const { messageIds } = await store.oldTexts({
        roomId: room.id,
        afterSeq: 0,
        before: NOW + DAY,
        limit: 9,
      });
      const prune = { roomId: room.id, messageIds, before: NOW + DAY, isFirst: true, now: NOW + DAY };
      const changed = await store.pruneTexts(prune);
      expect(
        changed.map(({ content, changedSeq, facts }) => [content, changedSeq, facts?.deletedBy]),
      ).toEqual([
        ['', 4, null],
        ['', 5, null],
        ['', 6, null],
      ]);
      expect(await store.pruneTexts(prune)).toEqual([]);
      expect((await wholeRoom(store, other.id)).map(({ content }) => content)).toEqual(texts(1));
      const rows = await store.audit(AUDIT);
      assert(rows);
      expect(rows.filter(({ room: of }) => of?.id === room.id)).toMatchObject([
        {
          action: 'messages_pruned',
          actor: null,
          details: JSON.stringify({ before: new Date(NOW + DAY).toISOString() }),
        },
      ]);
    });

    it('takes a reply that it deletes off its thread', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, ['root']);
      const [root] = await wholeRoom(store, room.id);
      assert(root);
      const post = {
        roomId: room.id,
        userId: user.id,
        cid: null,
        content: 'reply',
        now: NOW,
        threadId: root.id,
      };
      const posted = await store.post(post);
      assert(posted.outcome === 'stored');
      const prune = {
        roomId: room.id,
        messageIds: [posted.message.id],
        before: NOW,
        isFirst: false,
        now: NOW,
      };
      const changed = await store.pruneTexts(prune);
      expect(changed.map(({ id }) => id)).toEqual([posted.message.id, root.id]);
      expect(JSON.parse(changed[1]?.facts?.extra ?? '{}').thread.replies).toBe(0);
    });

    it('deletes the oldest rows of the audit log, which says so itself', async () => {
      const { store } = subject();
      const { user } = await newUserAndRoom(store);
      const person = { actorId: null, userId: user.id, reason: '' };
      const then = NOW - 400 * DAY;
      await store.setSuspended({ ...person, suspended: true, now: then });
      await store.setSuspended({ ...person, suspended: false, now: NOW });
      const prune = { before: then + 1, limit: 10, isFirst: true, now: NOW };
      expect(await store.pruneAudit(prune)).toBe(1);
      const rows = await store.audit({ ...AUDIT, limit: 2 });
      expect(rows?.map(({ action }) => action)).toEqual(['audit_pruned', 'resumed']);
      expect(await store.pruneAudit(prune)).toBe(0);
    });
  });
};
