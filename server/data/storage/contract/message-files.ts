import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../../rules/attached-files.ts';
import type { NewFile, Store } from '../store.ts';
import { type At, complete, create, newKey, newPlace } from './file-stage.ts';
import { type ContractPart, DAY, HOUR, NOW, newUser } from './subject.ts';

/** What is done to the files of messages that are there. */
export const describeMessageFiles: ContractPart = (subject) => {
  async function ready(store: Store, at: At, type = 'text/plain', change: Partial<NewFile> = {}) {
    const key = await create(store, at, change);
    await complete(store, key);
    const result = { state: 'ready', size: 90, type, sha256: 'a'.repeat(64), info: '{}' } as const;
    await store.settleFile({ key, roomId: at.roomId, result });
    return key;
  }

  /** A message with files, and people around it. */
  async function scene({ content = '', count = 2 } = {}) {
    const { store, ...at } = await newPlace(subject().store);
    const author = await newUser(store);
    await store.joinRoom({ roomId: at.roomId, userId: author.id, now: NOW });
    const own = { roomId: at.roomId, ownerId: author.id };
    const keys: string[] = [];
    while (keys.length < count) keys.push(await ready(store, own));
    const draft = { roomId: at.roomId, userId: author.id, cid: newKey(), content, now: NOW, files: keys };
    const posted = await store.post(draft);
    assert(posted.outcome === 'stored');
    const target = { roomId: at.roomId, messageId: posted.id, actorId: author.id, now: NOW };
    const filesNow = async () => filesOf((await store.message(target))?.facts ?? null);
    const [first = '', second = ''] = keys;
    return { store, at, own, target, first, second, filesNow };
  }

  describe('describeFile', () => {
    it('is for the author; the message changes by the next number, and an empty text is none', async () => {
      const { store, at, target, first, filesNow } = await scene();
      const before = await store.message(target);
      const described = await store.describeFile({ ...target, key: first, alt: 'a "plan"' });
      assert(described.outcome === 'changed');
      expect(described.message.changedSeq).toBe((before?.seq ?? 0) + 1);
      expect(await filesNow()).toMatchObject([{ key: first, alt: 'a "plan"' }, {}]);
      expect(await store.describeFile({ ...target, key: first, alt: 'a "plan"' })).toMatchObject({
        outcome: 'unchanged',
      });
      expect(await store.describeFile({ ...target, actorId: at.ownerId, key: first, alt: 'x' })).toEqual({
        outcome: 'not_allowed',
      });
      await store.describeFile({ ...target, key: first, alt: '' });
      expect((await filesNow())[0]).not.toHaveProperty('alt');
    });

    it('of a file that the message has not: file_not_found', async () => {
      const { store, own, target } = await scene();
      const other = await scene();
      for (const key of [newKey(), await ready(store, own), other.first])
        expect(await store.describeFile({ ...target, key, alt: 'x' })).toEqual({ outcome: 'file_not_found' });
    });
  });

  describe('deleteFile', () => {
    it('takes the file and its preview away, and leaves the others', async () => {
      const { store, target, first, second, filesNow } = await scene();
      expect(await store.deleteFile({ ...target, key: first })).toMatchObject({ outcome: 'changed' });
      expect(await filesNow()).toMatchObject([{ key: second }]);
      const reader = { userId: target.actorId, now: NOW };
      expect(await store.servedFile({ key: first, ...reader })).toBeUndefined();
      expect(await store.servedFile({ key: second, ...reader })).toMatchObject({ key: second });
      expect((await store.filesDue({ now: NOW, limit: 1000 })).deleted).toContain(first);
      expect(await store.deleteFile({ ...target, key: first })).toEqual({ outcome: 'file_not_found' });
    });

    it('the last one of a message without a text takes the message with it; with a text it stays', async () => {
      const silent = await scene({ count: 1 });
      await silent.store.deleteFile({ ...silent.target, key: silent.first });
      expect((await silent.store.message(silent.target))?.facts?.deletedAt).toBe(NOW);
      const spoken = await scene({ count: 1, content: 'look' });
      await spoken.store.deleteFile({ ...spoken.target, key: spoken.first });
      expect(await spoken.store.message(spoken.target)).toMatchObject({ content: 'look', facts: null });
    });

    it('is for the author and for moderators, and the audit log has what they took', async () => {
      const { store, at, target, first, second } = await scene();
      const stranger = await newUser(store);
      expect(await store.deleteFile({ ...target, actorId: stranger.id, key: first })).toEqual({
        outcome: 'not_allowed',
      });
      for (const key of [first, second])
        expect(await store.deleteFile({ ...target, actorId: at.ownerId, key })).toMatchObject({
          outcome: 'changed',
        });
      const log = await store.audit({
        viewerId: at.ownerId,
        scope: { of: 'room', roomId: at.roomId },
        limit: 10,
        now: NOW,
      });
      expect(log?.filter(({ action }) => action === 'message_deleted')).toHaveLength(2);
    });
  });

  describe('servedFile', () => {
    it('is there for whoever may read the room, while the message is', async () => {
      const { store, at, target, first } = await scene();
      const stranger = await newUser(store);
      const served = (userId: number, now = NOW) => store.servedFile({ key: first, userId, now });
      expect(await served(stranger.id)).toMatchObject({ key: first, messageId: target.messageId });
      await store.changeRoom({
        roomId: at.roomId,
        actorId: at.ownerId,
        patch: { kind: 'private' },
        now: NOW,
      });
      expect(await served(stranger.id)).toBeUndefined();
      expect(await served(target.actorId)).toMatchObject({ key: first });
      await store.removeMember({ roomId: at.roomId, actorId: at.ownerId, userId: target.actorId, now: NOW });
      expect(await served(target.actorId)).toBeUndefined();
      await store.deleteRoom({ roomId: at.roomId, actorId: at.ownerId, now: NOW });
      expect(await served(at.ownerId)).toBeUndefined();
      await store.purge({ now: NOW + 31 * DAY });
    });

    it('is no file that is unsent, being checked or refused', async () => {
      const { store, own } = await scene();
      const unsent = await ready(store, own);
      const checking = await create(store, own);
      await complete(store, checking);
      await store.post({
        roomId: own.roomId,
        userId: own.ownerId,
        cid: 'x',
        content: '',
        now: NOW,
        files: [checking],
      });
      for (const key of [unsent, checking])
        expect(await store.servedFile({ key, userId: own.ownerId, now: NOW + HOUR })).toBeUndefined();
    });
  });

  describe('pruneFiles', () => {
    it('takes the oldest files away, in pieces; messages with a text stay, and the audit log has one row', async () => {
      const spoken = await scene({ content: 'look' });
      const { store, at, own, target, second } = spoken;
      const silent = await ready(store, own);
      const draft = { roomId: at.roomId, userId: own.ownerId, cid: newKey(), content: '', now: NOW };
      const posted = await store.post({ ...draft, files: [silent] });
      assert(posted.outcome === 'stored');
      const later = await ready(store, own, 'text/plain', { now: NOW + HOUR });
      await store.post({ ...draft, cid: newKey(), files: [later] });
      const prune = { roomId: at.roomId, before: NOW + 1, now: NOW + HOUR };
      const first = await store.pruneFiles({ ...prune, limit: 1, run: { auditId: null, files: 0 } });
      expect(first).toMatchObject({ files: 1, changed: [{ id: target.messageId }] });
      expect(await spoken.filesNow()).toMatchObject([{ key: second }]);
      const rest = await store.pruneFiles({ ...prune, limit: 9, run: { auditId: first.auditId, files: 1 } });
      expect(rest).toMatchObject({ files: 2, auditId: first.auditId });
      expect(await store.message(target)).toMatchObject({ content: 'look', facts: null });
      const gone = await store.message({ roomId: at.roomId, messageId: posted.id });
      expect(gone?.facts).toMatchObject({ deletedAt: NOW + HOUR, deletedBy: null });
      const none = await store.pruneFiles({ ...prune, limit: 9, run: { auditId: null, files: 0 } });
      expect(none).toEqual({ files: 0, changed: [], auditId: null });
      const reader = { userId: own.ownerId, now: NOW };
      expect(await store.servedFile({ key: silent, ...reader })).toBeUndefined();
      expect(await store.servedFile({ key: later, ...reader })).toMatchObject({ key: later });
    });

    it('roomsLosingFiles has the rooms whose setting says so', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const losing = async () => (await store.roomsLosingFiles()).find(({ roomId }) => roomId === at.roomId);
      expect(await losing()).toBeUndefined();
      const patch = { settings: { files_keep_days: 30 } };
      await store.changeRoom({ roomId: at.roomId, actorId: at.ownerId, patch, now: NOW });
      expect(await losing()).toEqual({ roomId: at.roomId, days: 30 });
    });
  });

  describe('roomFiles', () => {
    it('has the files of messages, the latest first, by type, in pages, and for readers alone', async () => {
      const { store, own, at } = await scene();
      const keys: string[] = [];
      for (const type of ['image/png', 'text/plain', 'image/png', 'video/mp4']) {
        const key = await ready(store, own, type);
        await store.post({
          roomId: own.roomId,
          userId: own.ownerId,
          cid: key,
          content: '',
          now: NOW,
          files: [key],
        });
        keys.unshift(key);
      }
      await ready(store, own);
      const stranger = await newUser(store);
      const of = { roomId: at.roomId, userId: own.ownerId, now: NOW };
      const keysOf = async (more: Partial<Parameters<Store['roomFiles']>[0]>) =>
        (await store.roomFiles({ ...of, limit: 4, ...more }))?.files.map(({ key }) => key);
      expect(await keysOf({})).toEqual(keys);
      expect(await keysOf({ types: { are: ['image/png'] } })).toEqual([keys[1], keys[3]]);
      expect(await keysOf({ types: { areNot: ['image/png', 'video/mp4'] } })).toContain(keys[2]);
      const page = await store.roomFiles({ ...of, limit: 2 });
      expect(page?.lastId).toBe(page?.files[1]?.id);
      expect((await keysOf({ beforeId: page?.lastId }))?.slice(0, 2)).toEqual(keys.slice(2, 4));
      await store.changeRoom({
        roomId: at.roomId,
        actorId: at.ownerId,
        patch: { kind: 'private' },
        now: NOW,
      });
      expect(await store.roomFiles({ ...of, userId: stranger.id, limit: 2 })).toBeUndefined();
    });
  });
};
