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
        now: NOW,
      });
      expect(all).toHaveLength(7);
      const found: number[] = [];
      for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
        const piece = await store.oldTexts({
          roomId: room.id,
          afterSeq,
          before: NOW + DAY,
          limit: 3,
          now: NOW,
        });
        found.push(...piece.messageIds);
        afterSeq = piece.reached;
      }
      expect(found).toEqual(all);
      const none = await store.oldTexts({ roomId: room.id, afterSeq: 0, before: NOW, limit: 3, now: NOW });
      expect(none).toEqual({ messageIds: [], cidIds: [], reached: undefined, settled: 0 });
    });

    it('deletes texts by nobody, each with the next number of the room; the audit log has one row for all pieces of a run', async () => {
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
        now: NOW,
      });
      const before = NOW + DAY;
      const prune = (ids: readonly number[], auditId: number | null, messages: number) =>
        store.pruneTexts({
          ...{ roomId: room.id, messageIds: ids, now: NOW + DAY },
          run: { auditId, before, messages, rooms: 1 },
        });
      const one = await prune(messageIds.slice(0, 1), null, 0);
      const rest = await prune(messageIds.slice(1), one.auditId, 1);
      const changed = [...one.changed, ...rest.changed];
      expect(
        changed.map(({ content, changedSeq, facts }) => [content, changedSeq, facts?.deletedBy]),
      ).toEqual([
        ['', 4, null],
        ['', 5, null],
        ['', 6, null],
      ]);
      expect(rest.auditId).toBe(one.auditId);
      expect(await prune(messageIds, null, 0)).toEqual({ changed: [], auditId: null });
      expect((await wholeRoom(store, other.id)).map(({ content }) => content)).toEqual(texts(1));
      const rows = await store.audit(AUDIT);
      assert(rows);
      expect(rows.filter(({ action }) => action === 'messages_pruned')).toMatchObject([
        {
          action: 'messages_pruned',
          actor: null,
          details: JSON.stringify({ before: new Date(before).toISOString(), messages: 3, rooms: 1 }),
        },
      ]);
    });

    it('forgets the cid of a text that it deletes after 90 days, and keeps it until then', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const other = await newRoom(store, user.id);
      for (const [roomId, days, outcome] of [
        [room.id, 90, 'duplicate'],
        [other.id, 91, 'stored'],
      ] as const) {
        const text = { roomId, userId: user.id, content: 'text', cid: 'one', now: NOW };
        const stored = await store.append(text);
        assert(stored.outcome === 'stored');
        await store.pruneTexts({ roomId, messageIds: [stored.id], now: NOW + days * DAY });
        expect((await store.append(text)).outcome).toBe(outcome);
      }
    });

    it('finds the deleted texts that are more than 90 days old and have a cid, and forgets it', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      const text = (cid: string) => ({ ...at, content: 'text', cid, now: NOW });
      const ids: number[] = [];
      for (const cid of ['pruned', 'deleted', 'there']) {
        const stored = await store.append(text(cid));
        assert(stored.outcome === 'stored');
        ids.push(stored.id);
      }
      await say(store, at, ['without a cid']);
      const [pruned = 0, deleted = 0, there = 0] = ids;
      await store.pruneTexts({ roomId: room.id, messageIds: [pruned], now: NOW + 30 * DAY });
      await store.deleteMessage({ roomId: room.id, actorId: user.id, messageId: deleted, now: NOW + DAY });
      const query = { roomId: room.id, afterSeq: 0, before: NOW + 1, limit: 100 };
      const early = await store.oldTexts({ ...query, now: NOW + 90 * DAY });
      expect([early.cidIds, early.settled]).toEqual([[], 0]);
      const now = NOW + 91 * DAY;
      const due = await store.oldTexts({ ...query, now });
      expect(due.cidIds).toEqual([pruned, deleted]);
      expect(due.messageIds[0]).toBe(there);
      expect(due.settled).toBeGreaterThan(3);
      const done = await store.pruneTexts({ roomId: room.id, messageIds: due.cidIds, now });
      expect(done.changed).toEqual([]);
      expect((await store.oldTexts({ ...query, now })).cidIds).toEqual([]);
      for (const cid of ['pruned', 'deleted']) expect((await store.append(text(cid))).outcome).toBe('stored');
      expect((await store.append(text('there'))).outcome).toBe('duplicate');
    });

    it('gives a turn to one caller, until it is due again', async () => {
      const { store } = subject();
      const turn = { task: 'retention', now: NOW, until: NOW + 10 } as const;
      const both = await Promise.all([store.takeTurn(turn), store.takeTurn(turn)]);
      expect(both.sort()).toEqual([false, true]);
      expect(await store.takeTurn({ ...turn, task: 'backup to /a' })).toBe(true);
      expect(await store.takeTurn({ ...turn, now: NOW + 9 })).toBe(false);
      expect(await store.takeTurn({ ...turn, now: NOW + 10, until: NOW + 30 })).toBe(true);
      await store.setTurn({ task: 'retention', until: NOW + 20 });
      expect(await store.takeTurn({ ...turn, now: NOW + 20 })).toBe(true);
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
        now: NOW,
      };
      const { changed } = await store.pruneTexts(prune);
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
